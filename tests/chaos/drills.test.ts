import { afterAll, beforeAll, expect, test } from 'vitest'
import { databasesAway } from './databases-away.ts'
import {
  createField,
  type Field,
  type Outcome,
  runDrill,
  type Size,
  startWiredPlatform,
  type WiredPlatform,
} from './drill.ts'
import { kafkaAway } from './kafka-away.ts'
import { killDuringLoad, VICTIMS } from './kills.ts'
import { notices } from './notices.ts'
import { poison } from './poison.ts'
import { redisAway } from './redis-away.ts'
import { redisEmptied, redisFlushed } from './redis-lost.ts'
import { signInAway } from './sign-in-away.ts'
import { signInFlood } from './sign-in-flood.ts'
import { upstreamHung } from './upstream-hung.ts'
import { twice } from './twice.ts'

const KILLS = 3
const SHORT: Size = { kills: KILLS, awayMs: 3_000, settledWithinMs: 100_000, isTimed: false }

let wired: WiredPlatform

beforeAll(async () => {
  wired = await startWiredPlatform()
})
afterAll(() => wired?.stop())

/** The moments are others in every run; the seed is in the message of one that fails. */
async function expectHeld(run: (field: Field) => Promise<Outcome>, size: Partial<Size> = {}): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const field = createField(wired, { seed, size: { ...SHORT, ...size } })
  const { checks, figures } = await runDrill(field, run)
  const broken = checks.filter((one) => one.broken.length > 0)
  expect(broken, `seed ${seed} ${JSON.stringify(figures)}`).toEqual([])
  expect(checks.length).toBeGreaterThan(0)
}

test.each(VICTIMS)('%s killed three times loses no answered request and counts none twice', async (name) => {
  await expectHeld((field) =>
    killDuringLoad(
      field,
      Array.from({ length: KILLS }, () => name),
    ),
  )
})

test('with Kafka away for ten seconds every request is answered and nothing is lost', async () => {
  await expectHeld(kafkaAway.run, { awayMs: 10_000 })
})

test('with Redis stopped there is no 5xx, answers say that they are degraded, and all are counted', async () => {
  await expectHeld(redisAway.run)
})

test('with every counter flushed under load no window gives more than its limit and the share', async () => {
  await expectHeld(redisFlushed.run)
})

test('with Redis started again empty under load no window gives more than its limit and the share', async () => {
  await expectHeld(redisEmptied.run)
})

test('usage events that are delivered again count once', async () => {
  await expectHeld(twice.run)
})

test('poison among the usage events holds up nobody, is kept with its reason, and is restored when it can be', async () => {
  await expectHeld(poison.run)
})

test('what happens to an account while Kafka or Redis are away comes by mail when they are back, once', async () => {
  await expectHeld(notices.run)
})

test('who signs in while Kafka or Redis are away is let in or told to come back, and their mail comes, once', async () => {
  await expectHeld(signInAway.run, { awayMs: 2_000 })
})

test('with the database of one service away only what needs that service fails, and says so', async () => {
  await expectHeld(databasesAway.run, { awayMs: 2_000 })
})

test('with market-data silent only data waits, and never for long', async () => {
  await expectHeld(upstreamHung.run, { awayMs: 4_000 })
})

test('in a flood of guessed passwords everybody else is served, and a known device is let in', async () => {
  await expectHeld(signInFlood.run)
})
