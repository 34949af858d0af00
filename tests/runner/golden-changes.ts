import { execFileSync } from 'node:child_process'
import { ROOT_DIR } from './run-command.ts'

const GOLDEN = ':(glob)**/golden/**'

/** Changes accepted by `npm run golden`: review this diff before committing it. */
export function printGoldenChanges(): void {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT_DIR, encoding: 'utf8' }).trimEnd()
  const changed = git('diff', '--stat', '--', GOLDEN)
  const added = git('ls-files', '--others', '--exclude-standard', '--', GOLDEN)
  console.log(changed === '' && added === '' ? '\nNo golden file changed.' : '\nGolden files that changed:')
  if (changed !== '') console.log(changed)
  for (const path of added.split('\n').filter(Boolean)) console.log(` ${path} (new)`)
}
