import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { openTestDatabase } from '@tapeline/testing/test-database'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { bytesArray, instantArray, numberArray, textArray } from './array-text.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''))
const nasty = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', ',', ' ', '\n', '\\"', '\\x', 'é', '💥')

test('PostgreSQL reads every value as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(text, nasty, fc.constant(null))),
      fc.array(fc.oneof(fc.maxSafeInteger(), fc.constant(null))),
      fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 })),
      fc.array(fc.uint8Array()),
      async (texts, numbers, timesMs, bytes) => {
        const buffers = bytes.map((one) => Buffer.from(one))
        const { rows } = await sql<{ texts: string[]; numbers: string[]; times: Date[]; bytes: Buffer[] }>`
          select ${textArray(texts)}::text[] as texts, ${numberArray(numbers)}::bigint[] as numbers,
            ${instantArray(timesMs)}::timestamptz[] as times, ${bytesArray(buffers)}::bytea[] as bytes`.execute(db)
        expect(rows[0]).toEqual({
          texts,
          numbers: numbers.map((one) => (one === null ? null : String(one))),
          times: timesMs.map((timeMs) => new Date(timeMs)),
          bytes: buffers,
        })
      },
    ),
    { seed: PROPERTY_SEED, numRuns: 30 },
  )
})
