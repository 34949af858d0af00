import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { streamLimitsOf } from '@tapeline/contracts/config/stream-limits'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { addStreamLimits } from '../migrations/0024-add-stream-limits.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { checkTiers } from './check-tiers.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const { free } = tierDocuments
const { streamConnections: _connections, streamMessagesPerSecond: _messages, ...older } = free.rateLimits

test('documents stored before streams get the limits, and those that name them keep theirs', async () => {
  const tiers = { ...tierDocuments, free: { ...free, rateLimits: { ...older, streamConnections: 3 } } }
  const row = { version: 1, written_by: 'seed', created_at: new Date(), reason: null, config: JSON.stringify(tiers) }
  await db.insertInto('tier_document').values(row).execute()
  await addStreamLimits.up(db)
  const { config } = await db.selectFrom('tier_document').selectAll().executeTakeFirstOrThrow()
  expect(config.free.rateLimits).toEqual({ ...older, streamConnections: 3, streamMessagesPerSecond: 10 })
  expect(config.pro).toEqual(tierDocuments.pro)
})

test('documents without them are valid, and the shipped limits apply', () => {
  const tiers = { ...tierDocuments, free: { ...free, rateLimits: older } }
  expect(checkTiers(tiers)).toEqual(tiers)
  expect(streamLimitsOf('free', older, null)).toEqual({ connections: 1, messagesPerSecond: 10 })
  expect(streamLimitsOf('free', older, { ...older, streamConnections: 9 }).connections).toBe(9)
})
