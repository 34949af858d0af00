import pg from 'pg'

export type RecordedMail = { id: string; kind: string; isSent: boolean }

/** Mails that identity recorded for an account. */
export async function mailsOf(identityDatabaseUrl: string, accountId: string): Promise<RecordedMail[]> {
  const client = new pg.Client({ connectionString: identityDatabaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; kind: string; sent_at: Date | null }>(
      'select id, kind, sent_at from mail where user_id = $1 order by created_at, id',
      [accountId],
    )
    return rows.map(({ id, kind, sent_at }) => ({ id, kind, isSent: sent_at !== null }))
  } finally {
    await client.end()
  }
}
