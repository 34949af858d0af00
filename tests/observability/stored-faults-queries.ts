import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'

/** Stores tier documents that no gateway accepts, as an operator who edits the table by hand. */
export function insertInvalidTiers(configDatabaseUrl: string): Promise<void> {
  return execute(
    configDatabaseUrl,
    `insert into tier_document (version, config, written_by, created_at)
     select version + 1, jsonb_set(config, '{pro,rateLimits,requestsPerMinute}', '0'), 'by hand', now()
     from tier_document order by version desc limit 1`,
  )
}

export function deleteNewestTiers(configDatabaseUrl: string): Promise<void> {
  return execute(
    configDatabaseUrl,
    'delete from tier_document where version = (select max(version) from tier_document)',
  )
}

/** Stores a global configuration of the wrong type, with a new version that every process loads. */
export function insertInvalidSetting(configDatabaseUrl: string, key: string): Promise<void> {
  return execute(
    configDatabaseUrl,
    `with setting as (
       insert into global_config (id, key, state, version, updated_at)
       values ($1, $2, '{"value": "not an object", "is_public": true}', 1, now()))
     update platform_version set version = version + 1`,
    [randomUUIDv7(), key],
  )
}

export function deleteSetting(configDatabaseUrl: string, key: string): Promise<void> {
  return execute(
    configDatabaseUrl,
    `with setting as (delete from global_config where key = $1)
     update platform_version set version = version + 1`,
    [key],
  )
}

async function execute(connectionString: string, statement: string, values: string[] = []): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}
