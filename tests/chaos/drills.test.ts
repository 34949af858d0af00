import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { afterAll, beforeAll, test } from 'vitest'
import { databasesAway } from './drills/databases-away.ts'
import { type Field, type Outcome, type Size, startWiredPlatform, type WiredPlatform } from './drill.ts'
import { expectDrillHeld } from './expect-drill-held.ts'
import { kafkaAway } from './drills/kafka-away.ts'
import { leaseKills } from './drills/lease-kills.ts'
import { notices } from './drills/notices.ts'
import { poison } from './drills/poison.ts'
import { redisAway } from './drills/redis-away.ts'
import { redisEmptied, redisFlushed } from './drills/redis-lost.ts'
import { signInAway } from './drills/sign-in-away.ts'
import { signInFlood } from './drills/sign-in-flood.ts'
import { streamCuts } from './drills/stream-cuts.ts'
import { streamRestarts } from './drills/stream-restarts.ts'
import { upstreamHung } from './drills/upstream/upstream-hung.ts'
import { twice } from './drills/twice.ts'

let wired: WiredPlatform

beforeAll(async () => {
  wired = await startWiredPlatform()
})
afterAll(() => wired?.stop())

const expectHeld = (run: (field: Field) => Promise<Outcome>, size: Partial<Size> = {}): Promise<void> =>
  expectDrillHeld(wired, run, size)

test('without Kafka for ten seconds every request is answered and nothing is lost', async () => {
  await expectHeld(kafkaAway.run, { awayMs: 10_000 })
})

test('with Redis stopped there is no 5xx, responses are marked as degraded, and all are counted', async () => {
  await expectHeld(redisAway.run)
})

test('with all counters flushed under load no window admits more than its limit plus one share per gateway', async () => {
  await expectHeld(redisFlushed.run)
})

test('with Redis restarted empty under load no window admits more than its limit plus one share per gateway', async () => {
  await expectHeld(redisEmptied.run)
})

test('redelivered usage events count once', async () => {
  await expectHeld(twice.run)
})

test('poison usage events delay no others, are kept with their reason, and are restored where possible', async () => {
  await expectHeld(poison.run)
})

test('notifications raised without Kafka or Redis are mailed after recovery, once', async () => {
  await expectHeld(notices.run)
})

test('a sign-in while Kafka or Redis is unavailable succeeds or gets a Retry-After, and its mail arrives once', async () => {
  await expectHeld(signInAway.run, { awayMs: 2_000 })
})

test('without the database of one service only calls that need that service fail, with explicit answers', async () => {
  await expectHeld(databasesAway.run, { awayMs: 2_000 })
})

test('the requests of a killed gateway count until their leases end, and then the whole limit is available', async () => {
  await expectHeld(leaseKills.run, { kills: 1 })
})

test('with market-data hanging only data requests are delayed, and only briefly', async () => {
  await expectHeld(upstreamHung.run, { awayMs: 4_000 })
})

test('during a flood of guessed passwords all other requests are served, and a known device can sign in', async () => {
  await expectHeld(signInFlood.run)
})

test('with gateways and stream processes restarted, each of fifty subscribers receives every record once and in order', async () => {
  await expectHeld(streamRestarts.run)
})

/** Every kind is interrupted at least once; a killed server restarts, which takes long on a busy machine. */
const CUTS = { kills: 6, settledWithinMs: 120_000 }
const CUTS_TIMEOUT_MS = 300_000

const hasRecording = recording('binance-spot', 'spot_btcusdt_20240808.gz') !== undefined
if (!hasRecording) test.skip(NO_RECORDINGS, () => {})

test.skipIf(!hasRecording)(
  'gateways, stream processes, connector, Kafka and clients cut during a replay: nothing is missing or repeated',
  async () => {
    await expectHeld(streamCuts.run, CUTS)
  },
  CUTS_TIMEOUT_MS,
)
