import type { Role } from '@tapeline/contracts/actor'
import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'

/** Inserts a flag visible to this role and higher ones only, which reveals the role a session has. */
export async function insertFlag(configDatabaseUrl: string, key: string, role: Role): Promise<void> {
  const client = new pg.Client({ connectionString: configDatabaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into feature_flag (id, key, role, enabled, is_active, is_public, created_at, updated_at)
       values ($1, $2, $3, true, true, false, now(), now())`,
      [randomUUIDv7(), key, role],
    )
  } finally {
    await client.end()
  }
}
