import { escapeIdentifier } from 'pg'
import { upsertRole, withServer } from '../local/database-queries.ts'
import { databaseName } from '../local/processes/process-environment.ts'
import { SERVICES } from '../local/secrets.ts'

/** Creates the role for dumps, which can read every table of every service and write none. */
export async function makeBackupRole(serverUrl: string, prefix: string, password: string): Promise<void> {
  await withServer(serverUrl, async (client) => {
    const role = `${prefix}backup`
    await upsertRole(client, role, password)
    await client.query(`grant pg_read_all_data to ${escapeIdentifier(role)}`)
    for (const service of SERVICES) {
      const database = escapeIdentifier(databaseName(service, prefix))
      await client.query(`grant connect on database ${database} to ${escapeIdentifier(role)}`)
    }
  })
}
