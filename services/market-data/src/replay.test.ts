import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookOf, openConnectorPath } from '../test/connector.fixture.ts'
import { createRawFrames } from './connect/run/raw-frames.ts'

const RECORDS = 300
const START_NS = 1_723_161_254_000_000_000n
let path: Awaited<ReturnType<typeof openConnectorPath>>
let dir: string

beforeAll(async () => {
  path = await openConnectorPath()
  dir = await mkdtemp(join(tmpdir(), 'tapeline-replay-'))
})
afterAll(async () => {
  await path.close()
  await rm(dir, { recursive: true })
})

/** A raw file of a snapshot, then a trade and an update each 10 ms. */
async function recordVenue(): Promise<void> {
  const venue = await startBinanceVenue({ symbols: ['BTCUSDT'], startMs: Number(START_NS / 1_000_000n) })
  const raw = createRawFrames({ dir, maxBytes: 1e9, logger: silentLogger })
  const snapshot = await fetch(`${venue.addresses.rest}/api/v3/depth?symbol=BTCUSDT`)
  raw.write(String(START_NS), 'open', 'wss://venue')
  raw.write(String(START_NS), 'snapshot:BTCUSDT', await snapshot.text())
  for (let count = 0n; count < RECORDS; count += 1n) {
    const tsRecv = String(START_NS + count * 10_000_000n)
    raw.write(tsRecv, 'frame', venue.trade('BTCUSDT', false))
    raw.write(tsRecv, 'frame', venue.change('BTCUSDT', false))
  }
  await raw.stop()
  await venue.stop()
}

async function replay(...args: string[]): Promise<string> {
  const [file = ''] = await readdir(dir)
  const env = {
    ...process.env,
    DATABASE_URL: path.database.url,
    KAFKA_BROKERS: testServers().kafkaBrokers,
    KAFKA_TOPIC_PREFIX: path.topics.prefix,
  }
  const script = join(import.meta.dirname, 'replay.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, 'binance:BTC-USDT', join(dir, file), ...args],
    { env },
  )
  return stdout
}

test('records of replayed raw frames are read over REST, once even if they are replayed twice', async () => {
  await recordVenue()
  const counted = `603 lines: ${RECORDS} trades, 302 book events, 1 gaps, 0 unreadable lines`
  // Includes the gap at the end of the recording: what followed is unknown.
  expect(await replay('--speed', 'max')).toContain(counted.replace('603', String(2 + 2 * RECORDS)))
  await waitUntil('all is stored', async () => (await path.l2Events('BTC-USDT')).length === RECORDS + 2)
  const before = [await path.trades('BTC-USDT'), await path.l2Events('BTC-USDT')]
  expect(before[0]).toHaveLength(RECORDS)
  expect(before[0]?.every(({ flags }) => flags.includes('replayed'))).toBe(true)
  expect(bookOf((await path.l2Events('BTC-USDT')).slice(0, -1))?.bids.length).toBeGreaterThan(10)
  const startedMs = performance.now()
  await replay('--speed', '2')
  expect(performance.now() - startedMs).toBeGreaterThan(1_400)
  expect([await path.trades('BTC-USDT'), await path.l2Events('BTC-USDT')]).toEqual(before)
})
