import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  coordinatorOf,
  createTopic,
  type Member,
  startMember,
  startSending,
} from '@tapeline/testing/kafka/consumer-group'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KafkaBrokers, startKafkaBrokers } from './kafka-brokers.ts'

const PARTITIONS = 4
const BROKERS = 3
const BACK_WITHIN_MS = 60_000
/** More than one, because the first may have been under way. */
const HEARTBEATS = 3

let kafka: KafkaBrokers
beforeAll(async () => {
  kafka = await startKafkaBrokers(mkdtempSync(join(tmpdir(), 'tapeline-brokers-')))
}, 120_000)
afterAll(() => kafka.stop())

test('members of a group continue without the broker that coordinated it, and stay members', async () => {
  const group = { brokers: kafka.brokers, group: 'readers', topic: 'numbers' }
  await createTopic(group.brokers, group.topic, PARTITIONS, BROKERS)
  const members = await Promise.all(['one', 'other'].map((name) => startMember(name, group)))
  const sender = await startSending(group.brokers, group.topic, PARTITIONS)
  await waitUntil('both have partitions', () => members.every(({ partitions }) => partitions.size > 0), BACK_WITHIN_MS)
  // The first member had all partitions until the other had joined.
  await expectProgress(members)
  const joins = members.map((member) => member.joins)
  const coordinator = kafka.parts[(await coordinatorOf(group)) - 1]
  await coordinator?.kill()
  await expectProgress(members)
  await coordinator?.restart()
  await expectProgress(members)
  expect(members.map((member) => member.joins)).toEqual(joins)
  await sender.stop()
  await Promise.all(members.map(({ stop }) => stop()))
})

/** All partitions are read, and the coordinator answers both members. */
async function expectProgress(members: Member[]): Promise<void> {
  const before = members.map(({ heartbeats }) => heartbeats)
  for (const { partitions } of members) partitions.clear()
  await waitUntil(
    'both members send heartbeats',
    () => members.every(({ heartbeats }, n) => heartbeats >= (before[n] ?? 0) + HEARTBEATS),
    BACK_WITHIN_MS,
  )
  await waitUntil(
    'all partitions are read',
    () => members.reduce((sum, { partitions }) => sum + partitions.size, 0) === PARTITIONS,
    BACK_WITHIN_MS,
  )
}
