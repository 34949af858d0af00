import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A scope of links into the repository itself. */
const OWN = '@tapeline'

/**
 * The sources as they are on disk, in another folder where they can be changed and run: our own packages are the copied
 * ones, all others are links.
 */
export function copySources(from: string, to: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: from, encoding: 'utf8' })
  for (const file of listed.split('\0').filter((each) => each !== '' && existsSync(join(from, each)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(from, file), join(to, file))
  }
  const modules = join(from, 'node_modules')
  const copied = join(to, 'node_modules')
  mkdirSync(join(copied, OWN), { recursive: true })
  for (const name of readdirSync(modules)) if (name !== OWN) symlinkSync(join(modules, name), join(copied, name))
  for (const name of readdirSync(join(modules, OWN))) {
    symlinkSync(readlinkSync(join(modules, OWN, name)), join(copied, OWN, name))
  }
}
