import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refOf, writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import { decodeBlock } from '../../lake/files/decode-block.ts'
import type { FileRow } from '../../lake/files/layout.ts'
import { openFile, readGroup } from '../../lake/files/open-file.ts'
import { rowsOf, type RowSpan } from '../../lake/reading/row-batch.ts'
import { fromUnits } from '../../decimal-units.ts'
import type { Filter } from '../filter.ts'
import { renderChannel } from '../render-channel.ts'
import { renderBatches } from './render-batches.ts'

const instrument = { instrumentId: 7, venue: 'sim', symbol: 'A"B-USD', venueSymbol: 'é' } as RegisteredInstrument
const INT64_MAX = 2n ** 63n - 1n

/** The rows of one file as the block that a reader decodes. */
async function blockOf(rows: readonly FileRow[]) {
  const written = writeRows('trade', rows)
  const readRange = async (from: number, to: number) => written.bytes.slice(from, to).buffer
  const file = await openFile(refOf('trade', written), readRange)
  const [group] = file.groups
  if (group === undefined) throw new Error('the file is empty')
  return decodeBlock(file, group, await readGroup(file, group, readRange), { from: 0, to: rows.length })
}

const anyTime = fc.oneof(
  fc.bigInt({ min: 0n, max: INT64_MAX }),
  fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_800_000_000_000_000_000n }),
  fc.constantFrom(0n, 999_999_999n, 1_000_000_000n, 59_999_999_999n, 1_723_161_599_999_999_999n, INT64_MAX),
)
const anyDecimal = (scale: number) =>
  fc
    .oneof(
      fc.bigInt({ min: 0n, max: 10n ** 17n }),
      fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      fc.constantFrom(0n, 1n, 10n ** 8n),
    )
    .map((units) => fromUnits(units, scale))
const anyId = (isNumeric: boolean) =>
  isNumeric
    ? fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }).map(String)
    : fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('20131008:17'))

const anyRows = fc
  .record({
    scale: fc.integer({ min: 0, max: 17 }),
    sizeScale: fc.integer({ min: 0, max: 8 }),
    isNumeric: fc.boolean(),
    isOneTime: fc.boolean(),
  })
  .chain(({ scale, sizeScale, isNumeric, isOneTime }) =>
    fc.array(
      fc.record({
        time: anyTime,
        received: isOneTime ? fc.constant(undefined) : fc.option(anyTime, { nil: undefined }),
        price: anyDecimal(scale),
        size: anyDecimal(sizeScale),
        id: anyId(isNumeric),
        flags: fc.integer({ min: 0, max: 31 }),
        side: fc.constantFrom('b', 's', 'u'),
        source: fc.constantFrom('v', 'm', 'e', 'n'),
        hasTradeId: fc.constantFrom('t', 'f'),
        conditions: fc.constantFrom(null, '', 'odd_lot', 'exchange:P "late"'),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  )
  .map((list) =>
    list
      .toSorted((one, other) => (one.time < other.time ? -1 : 1))
      .map(({ time, received, price, size, id, flags, side, source, hasTradeId, conditions }, at): FileRow => {
        const times = [String(time), String(received ?? time)]
        return [String(at + 1), ...times, String(flags), side, source, hasTradeId, price, size, id, conditions]
      }),
  )

test('trades written as bytes are those that are rendered from rows, in both directions', async () => {
  const filters = fc.record({
    order: fc.constant('asc' as const),
    time_format: fc.constantFrom('rfc3339' as const, 'unix_ns' as const),
    include: fc.subarray(['conditions']),
  })
  await fc.assert(
    fc.asyncProperty(anyRows, filters, fc.constantFrom(1 as const, -1 as const), async (rows, filter: Filter, step) => {
      const page = { instruments: [instrument], filter }
      const block = await blockOf(rows)
      const first = step === 1 ? 0 : rows.length - 1
      const spans: RowSpan[] = [{ block, instrumentId: 7, first, count: rows.length, step }]
      const expected = rowsOf(spans).map(renderChannel('trade', page, ','))
      expect(renderBatches('trade', page, spans, '\n').toString()).toBe(expected.join('\n'))
      const prices = rows.map((row) => row[7])
      expect(expected.map((json) => JSON.parse(json).price)).toEqual(step === 1 ? prices : prices.toReversed())
    }),
    { seed: PROPERTY_SEED, numRuns: 80 },
  )
})
