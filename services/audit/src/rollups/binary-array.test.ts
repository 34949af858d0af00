import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { openTestDatabase } from '@tapeline/testing/test-database'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  bigintArray,
  booleanArray,
  bytesArray,
  instantArray,
  integerArray,
  smallintArray,
  textArray,
  uuidArray,
} from './binary-array.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''))
const nasty = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', ',', ' ', '\n', '\\"', '\\x', 'é', '💥')

const uuid = fc.uuid().chain((one) => fc.constantFrom(one, one.toUpperCase(), one.replaceAll('-', '')))

test('PostgreSQL reads every value as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        texts: fc.array(fc.oneof(text, nasty, fc.constant(null))),
        bigints: fc.array(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-(2 ** 63), 2 ** 62))),
        integers: fc.array(fc.integer()),
        smallints: fc.array(fc.integer({ min: -32_768, max: 32_767 })),
        flags: fc.array(fc.boolean()),
        uuids: fc.array(uuid),
        timesMs: fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 })),
        bytes: fc.array(fc.uint8Array()),
      }),
      async ({ texts, bigints, integers, smallints, flags, uuids, timesMs, bytes }) => {
        const { rows } = await sql`
          select ${textArray(texts)}::text[] as texts, ${bigintArray(bigints)}::bigint[] as bigints,
            ${integerArray(integers)}::integer[] as integers, ${smallintArray(smallints)}::smallint[] as smallints,
            ${booleanArray(flags)}::boolean[] as flags, ${uuidArray(uuids)}::uuid[]::text[] as uuids,
            ${instantArray(timesMs)}::timestamptz[] as times, ${bytesArray(bytes)}::bytea[] as bytes`.execute(db)
        expect(rows[0]).toEqual({
          texts,
          bigints: bigints.map((one) => String(BigInt(one))),
          integers,
          smallints,
          flags,
          uuids: uuids.map(canonical),
          times: timesMs.map((timeMs) => new Date(timeMs)),
          bytes: bytes.map((one) => Buffer.from(one)),
        })
      },
    ),
    { seed: PROPERTY_SEED, numRuns: 30 },
  )
})

test('a value that its type cannot represent is an error, and not another value', () => {
  for (const value of [2 ** 63, 0.5, Number.NaN]) expect(() => bigintArray([value])).toThrow('out of range')
  expect(() => integerArray([2 ** 31])).toThrow('out of range')
  expect(() => smallintArray([32_768])).toThrow('out of range')
  expect(() => instantArray([Number.NaN])).toThrow('out of range')
  for (const value of ['', 'seven', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32), 'é'.repeat(32)])
    expect(() => uuidArray([value])).toThrow('is not a UUID')
})

function canonical(id: string): string {
  return id
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
