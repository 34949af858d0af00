import { hostsOf, withHosts } from './servers/database-address.ts'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * Runs some statements as the server's superuser; of several servers, on the primary: of two that accept writes, the one
 * that was promoted last.
 */
export async function withServer<Result>(
  serverUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const hosts = hostsOf(serverUrl)
  return onServer(hosts.length === 1 ? serverUrl : await findPrimary(serverUrl, hosts), work)
}

async function findPrimary(serverUrl: string, hosts: readonly string[]): Promise<string> {
  const urls = hosts.map((host) => withHosts(serverUrl, host))
  const answers = await Promise.allSettled(urls.map((url) => onServer(url, readTimeline)))
  const timelines = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : ''))
  const newest = timelines.toSorted().at(-1) ?? ''
  const primary = urls[timelines.indexOf(newest)]
  if (newest !== '' && primary !== undefined) return primary
  const failures = answers.map((answer) =>
    answer.status === 'rejected' ? answer.reason : new Error('it is a standby'),
  )
  throw new AggregateError(failures, `none of ${hosts.join(', ')} is the primary: ${failures.map(String).join('; ')}`)
}

/** Eight hexadecimal digits, which a promotion increases; empty for a standby. */
async function readTimeline(client: Client): Promise<string> {
  const { rows } = await client.query<{ timeline: string }>(
    `select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
  )
  return rows[0]?.timeline ?? ''
}

async function onServer<Result>(serverUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const url = new URL(serverUrl)
  if (url.pathname === '' || url.pathname === '/') url.pathname = '/postgres'
  const client = new Client({
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A login role that owns nothing but its database; its password follows secrets.json. */
export async function upsertRole(client: Client, name: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name])
  const verb = rowCount === 0 ? 'create' : 'alter'
  await client.query(`${verb} role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`)
}

export async function createDatabaseIfAbsent(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount !== 0) return
  // Membership lets the administrator of a hosted server, who is not a superuser, transfer the database.
  await client.query(`grant ${escapeIdentifier(name)} to current_user`)
  await client.query(`create database ${escapeIdentifier(name)} owner ${escapeIdentifier(name)}`)
  await client.query(`revoke all on database ${escapeIdentifier(name)} from public`)
}

/** Deletes the offsets of the consumers of a database, which are those of another Kafka. They read from the beginning. */
export async function deleteConsumerOffsets(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string | null }>(`select to_regclass('consumer_offset')::text as name`)
  if (typeof rows[0]?.name === 'string') await client.query('delete from consumer_offset')
}

export async function listDatabases(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database')
  return rows.map(({ datname }) => datname)
}

/** The comment of a database stores the last completed step; it is lost together with the data. */
export async function findDatabaseNote(client: Client, name: string): Promise<string> {
  const { rows } = await client.query<{ note: string | null }>(
    `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
    [name],
  )
  return rows[0]?.note ?? ''
}

export async function noteOnDatabase(client: Client, name: string, note: string): Promise<void> {
  await client.query(`comment on database ${escapeIdentifier(name)} is ${escapeLiteral(note)}`)
}
