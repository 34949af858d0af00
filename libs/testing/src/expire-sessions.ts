import pg from 'pg'

const TABLES = ['session', 'password_reset', 'email_link'] as const

/** Backdates an account's sessions and links, so that they have expired. */
export async function expireSessionsAndLinks(identityDatabaseUrl: string, accountId: string): Promise<void> {
  const client = new pg.Client({ connectionString: identityDatabaseUrl })
  await client.connect()
  try {
    for (const table of TABLES) {
      await client.query(`update ${table} set expires_at = now() - interval '1 second' where user_id = $1`, [accountId])
    }
  } finally {
    await client.end()
  }
}
