import pg from 'pg'

/** Two days of feed data, which contains no user input. */
const FEED_TABLE = /^(trade|l2_event)/

/** Tables of the platform's databases with a row that contains one of the texts, and the number of rows searched. */
export async function searchDatabases(
  { databaseUrl, prefix }: { databaseUrl: string; prefix: string },
  texts: readonly string[],
): Promise<{ searched: number; found: string[] }> {
  const found: string[] = []
  let searched = 0
  for (const database of await databasesOf(databaseUrl, prefix)) {
    await connected(addressOf(databaseUrl, database), async (client) => {
      for (const table of await tablesOf(client)) {
        const name = pg.escapeIdentifier(table)
        const { rows } = await client.query<{ rows: string; hits: string }>(
          `select count(*) as rows, count(*) filter (where t::text like any ($1)) as hits from ${name} t`,
          [texts.map((text) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)],
        )
        searched += Number(rows[0]?.rows)
        if (Number(rows[0]?.hits) > 0) found.push(`${database}.${table}`)
      }
    })
  }
  return { searched, found }
}

function databasesOf(databaseUrl: string, prefix: string): Promise<string[]> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      `${prefix.replaceAll('_', String.raw`\_`)}%`,
    ])
    return rows.map(({ datname }) => datname)
  })
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname !~ '^pg_' and schemaname <> 'information_schema' order by 1`,
  )
  return rows.map(({ tablename }) => tablename).filter((name) => !FEED_TABLE.test(name))
}

function addressOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${database}`
  return url.href
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
