import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresPair, startPostgresPair } from '@tapeline/testing/programs/postgres-pair'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from './database-queries.ts'
import { withHosts } from './servers/database-address.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-database-queries-'))
let pair: PostgresPair
beforeAll(async () => {
  pair = await startPostgresPair(dir)
  await pair.untilReplayed()
})
afterAll(async () => {
  await pair.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

async function portAmong(...ports: number[]): Promise<number | undefined> {
  const url = withHosts(pair.primary.url, ports.map((port) => `127.0.0.1:${port}`).join(','))
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ port: number }>('select inet_server_port() as port')
    return rows[0]?.port
  })
}

test('of several servers the primary is used: not a standby, and not a former primary that still accepts writes', async () => {
  const [first, second] = [pair.primary.port, pair.standby.port]
  for (const ports of [
    [first, second],
    [second, first],
    [1, first],
  ])
    expect(await portAmong(...ports)).toBe(first)
  await expect(portAmong(second, 1)).rejects.toThrow(/is the primary: .*it is a standby; .*ECONNREFUSED/)
  await pair.promote()
  for (const ports of [
    [first, second],
    [second, first],
    [1, second],
  ])
    expect(await portAmong(...ports)).toBe(second)
})
