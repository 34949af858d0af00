import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChannelName } from '../../tables.ts'
import { readRows, writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import type { FileRow } from './layout.ts'
import { someL2Rows, someTradeRows } from '../../../test/lake/some-rows.fixture.ts'

const channels: ChannelName[] = ['trade', 'l2_event']
const rowsOf = (channel: ChannelName, count: number) => (channel === 'trade' ? someTradeRows(count) : someL2Rows(count))

describe.each(channels)('a file of %s', (channel) => {
  test.each([1, 2, 255, 2_048, 2_049, 9_000])('returns every value of %i rows exactly', async (count) => {
    const rows = rowsOf(channel, count)
    expect(await readRows(channel, writeRows(channel, rows))).toEqual(rows)
  })

  test('has the same bytes for the same rows', () => {
    const rows = rowsOf(channel, 3_000)
    const [one, other] = [writeRows(channel, rows), writeRows(channel, rows)]
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0)
    expect(one.sha256).toBe(other.sha256)
    expect(writeRows(channel, rows.slice(1)).sha256).not.toBe(one.sha256)
  })

  test('with any byte altered is rejected or read correctly', async () => {
    const rows = rowsOf(channel, 3_000)
    const file = writeRows(channel, rows)
    const step = Math.floor(file.bytes.length / 60)
    for (let at = 4; at < file.bytes.length; at += step) {
      const bytes = file.bytes.slice()
      bytes[at] = (bytes[at] ?? 0) ^ 0x10
      await expect(readRows(channel, file, bytes), `byte ${at}`).rejects.toThrow(/was altered|were altered/)
    }
  })
})

test('several row groups return every value exactly', async () => {
  const rows = someTradeRows(140_000)
  expect(await readRows('trade', writeRows('trade', rows))).toEqual(rows)
})

const digits = (max: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(max) - 1n }).map(String)
/** Mostly realistic prices, sometimes 48 digits, sometimes not canonical. */
const decimal = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(digits(6), digits(3)).map(([whole, rest]) => `${whole}.${rest}1`) },
  { weight: 1, arbitrary: fc.tuple(digits(30), digits(18)).map(([whole, rest]) => `${whole}.${rest}1`) },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1.5', '-0.01', '10.00', '007', '1', '999999999999999999') },
)
const int64 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)
const word = fc.oneof(fc.constantFrom('v', 'm', 'é', '', 'a b'), fc.string({ maxLength: 12 }))
const id = fc.oneof(digits(18), digits(25), fc.constantFrom('0', '007', '20131008:17', '-5', 's123'))
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const boolean = fc.constantFrom('t', 'f')
const small = fc.integer({ min: 0, max: 32_767 }).map(String)

const trade: fc.Arbitrary<FileRow> = fc.tuple(
  int64,
  int64,
  int64,
  small,
  word,
  word,
  boolean,
  decimal,
  decimal,
  id,
  orNull(word),
)
const levels = fc.array(fc.tuple(decimal, decimal), { maxLength: 5 }).map((list) => JSON.stringify(list))
const l2Event: fc.Arbitrary<FileRow> = fc.tuple(
  int64,
  int64,
  int64,
  small,
  word,
  small,
  levels,
  fc.oneof(levels, fc.constant('[ ]')),
  orNull(small),
  id,
  orNull(id),
  orNull(id),
  orNull(word),
  orNull(word),
  orNull(int64),
)

test.each([
  ['trade', trade],
  ['l2_event', l2Event],
] as const)('any rows of %s return exactly: long decimals, nulls, odd ids', async (channel, row) => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      expect(await readRows(channel, writeRows(channel, rows))).toEqual(rows)
    }),
    { seed: PROPERTY_SEED, numRuns: 150 },
  )
})
