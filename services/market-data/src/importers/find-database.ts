import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { splitHosts } from '@tapeline/database/database-hosts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const REPOSITORY = resolve(import.meta.dirname, '..', '..', '..', '..')
const DATABASE = 'tapeline_market_data'
const FORMAT = 'the database must be given as postgres://user:password@host:port/database'
/** Line of postmaster.pid that contains the port. */
const PORT_LINE = 3

const Secrets = Type.Object({ databasePasswords: Type.Object({ 'market-data': Type.String() }) })

/** The service's database: as given, or that of the platform which runs from TAPELINE_DIR (by default .tapeline). */
export function findDatabase(option: string | undefined, env: NodeJS.ProcessEnv): string {
  if (option !== undefined && option !== '') {
    const [url, ...others] = splitHosts(option).map(parseUrl)
    if (url === undefined || (others.length > 0 && url.pathname.length <= 1)) throw new Error(FORMAT)
    if (others.length > 0) return option
    return url.pathname.length > 1 ? url.href : ownDatabase(url, readSecrets(platformFolder(env))).href
  }
  const dir = platformFolder(env)
  const pidFile = join(dir, 'postgres', 'postmaster.pid')
  const port = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[PORT_LINE]) : Number.NaN
  if (!Number.isInteger(port)) {
    throw new Error(`no platform runs from ${dir}: start one with npm start, or set --database-url or DATABASE_URL`)
  }
  return ownDatabase(new URL(`postgres://127.0.0.1:${port}`), readSecrets(dir)).href
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Error(FORMAT)
  }
  return url
}

export function platformFolder(env: NodeJS.ProcessEnv): string {
  return resolve(REPOSITORY, env.TAPELINE_DIR || '.tapeline')
}

/** The names are those with which the launcher created the database. */
function ownDatabase(server: URL, secrets: Static<typeof Secrets>): URL {
  const url = new URL(server)
  url.username = DATABASE
  url.password = secrets.databasePasswords['market-data']
  url.pathname = `/${DATABASE}`
  return url
}

function readSecrets(dir: string): Static<typeof Secrets> {
  const file = join(dir, 'secrets.json')
  if (!existsSync(file)) throw new Error(`${file} is missing: start the platform once with npm start`)
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Value.Check(Secrets, value)) throw new Error(`${file} has no password for market-data`)
  return value
}
