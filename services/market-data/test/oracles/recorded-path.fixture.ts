import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { L2Event, Trade, TradePage } from '@tapeline/contracts/market-data/http'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { createApp } from '../../src/app.ts'
import { createDeps } from '../../src/deps.ts'
import { INSTRUMENTS_AGE_MAX_MS } from '../../src/instruments/instrument-cache.ts'
import { migrations } from '../../src/migrations/all.ts'
import type { Tables } from '../../src/tables.ts'
import { importFiles } from '../import-files.fixture.ts'
import type { VenueName } from './recordings.fixture.ts'

export type Channel = 'trades' | 'l2events'
export type RecordOf = { trades: Trade; l2events: L2Event }

/** A path of recorded data into the store, and the records that are read afterwards. */
export type RecordedPath = {
  app: Server
  /** Lines of one or more files of a venue, in the order in which they were received; `connect` names the instruments. */
  play: (venue: VenueName, files: readonly (readonly string[])[], connect?: string) => Promise<void>
  playEquity: (file: string) => Promise<void>
  /** All records of one instrument in the order of their sequences; times in nanoseconds. */
  records: <C extends Channel>(channel: C, venue: string, symbol: string) => Promise<RecordOf[C][]>
  close: () => Promise<void>
}

export const actor = someUser({ tier: 'pro' })
const ALL = { start: '2010-01-01', end: '2100-01-01', time_format: 'unix_ns' }
const PAGE_ROWS = 1_000

export async function callList(app: Server, channel: Channel, body: object, verb: 'list' | 'latest' = 'list') {
  const url = `/api/v1/${channel}/${verb}`
  const response = await callAs(app, 'market-data', actor, { method: 'POST', url, body })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json<Pick<TradePage, 'has_more' | 'next_cursor' | 'coverage'> & { data: unknown[] }>()
}

/** All pages of a list call. */
export async function listAll<C extends Channel>(
  app: Server,
  channel: C,
  filter: object,
  limit = PAGE_ROWS,
): Promise<RecordOf[C][]> {
  const found: RecordOf[C][] = []
  let page = await callList(app, channel, { ...ALL, ...filter, limit })
  for (;;) {
    found.push(...(page.data as RecordOf[C][]))
    if (!page.has_more) return found
    page = await callList(app, channel, { cursor: page.next_cursor, limit })
  }
}

export function bySequence<T extends { sequence: string }>(records: readonly T[]): T[] {
  return records.toSorted((one, other) => Number(one.sequence) - Number(other.sequence))
}

/** `npm run import`, then the list calls. */
export async function openImportPath(): Promise<RecordedPath> {
  const database = await openTestDatabase<Tables>(migrations)
  const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-oracles-'))
  let written = 0
  return {
    app,
    async play(venue, files) {
      const names = []
      for (const lines of files) {
        const name = join(folder, `${(written += 1)}.gz`)
        await writeFile(name, gzipSync([...lines, ''].join('\n'), { level: 1 }))
        names.push(name)
      }
      await importFiles(deps, venue === 'binance' ? 'binance-spot' : venue, names)
      await delay(INSTRUMENTS_AGE_MAX_MS) // A reader may not know the instrument earlier.
    },
    async playEquity(file) {
      await importFiles(deps, undefined, [file])
      await delay(INSTRUMENTS_AGE_MAX_MS)
    },
    async records(channel, venue, symbol) {
      const filter = {
        venues: [venue],
        symbols: [symbol],
        ...(channel === 'trades' ? { include: ['conditions'] } : {}),
      }
      return bySequence(await listAll(app, channel, filter))
    },
    async close() {
      await app.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
