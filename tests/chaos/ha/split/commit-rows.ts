import pg from 'pg'

// Inserts row after row on one side of a split brain, until it is stopped: row-writer.ts starts this process, in a
// network namespace or outside. It prints JSON lines: each acknowledged commit with its server, and each failure.

const PAUSE_MS = 20
const CONNECT_TIMEOUT_MS = 1_000
/** A commit that is not acknowledged within this time counts as failed, and the connection is replaced. */
const COMMIT_TIMEOUT_MS = 3_000

type Connected = { client: pg.Client; server: string }

const [table = '', side = '', ...urls] = process.argv.slice(2)
let connected: Connected | undefined
for (let number = 1; urls.length > 0; number += 1) {
  const id = `${side}-${number}`
  try {
    connected ??= await connectToPrimary()
    await connected.client.query(`insert into ${table} (id) values ($1)`, [id])
    print({ acknowledged: id, server: connected.server, atMs: Date.now() })
  } catch (error) {
    void connected?.client.end().catch(() => undefined)
    connected = undefined
    print({ failed: id, code: codeOf(error), atMs: Date.now() })
  }
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

/** The only server, whatever it is, or the first of several that accepts writes. */
async function connectToPrimary(): Promise<Connected> {
  for (const url of urls) {
    const client = new pg.Client({
      connectionString: `${url}/postgres`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: COMMIT_TIMEOUT_MS,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (urls.length === 1 || (await isPrimary(client))) return { client, server: new URL(url).host }
      void client.end().catch(() => undefined)
    } catch (error) {
      if (urls.length === 1) throw error
    }
  }
  throw new Error('no server accepts writes')
}

async function isPrimary(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  return rows[0]?.standby === false
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
