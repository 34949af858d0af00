import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readFlatColumn } from './flat-column.ts'
import { findFooterParts } from './footer-parts.ts'
import { decompressors } from './open-file.ts'
import { findPagePlaces } from './page-places.ts'

const [INT64_MIN, INT64_MAX] = [-(2n ** 63n), 2n ** 63n - 1n]
/** Length of the footer, and the magic number. */
const TRAILER_BYTES = 8
type Encoding = 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY'

/** One column of one row group as a Parquet file of small pages. */
function write(data: BigInt64Array | string[], encoding: Encoding) {
  const writer = new ByteWriter()
  const type =
    data instanceof BigInt64Array
      ? ({ type: 'INT64' } as const)
      : ({ type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const)
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'value', ...type, repetition_type: 'REQUIRED' as const },
  ]
  const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) }
  const parquet = new ParquetWriter({ writer, schema, codec: 'ZSTD', compressors })
  void parquet.write({
    columnData: [{ name: 'value', data, encoding, offsetIndex: true }],
    rowGroupSize: data.length,
    pageSize: 640,
  })
  void parquet.finish()
  return writer.getBytes().slice().buffer
}

/** The rows as this reader and hyparquet decode them. */
async function readBoth(file: ArrayBuffer, range: { from: number; to: number }) {
  const { schema, num_rows: rows } = parquetMetadata(file)
  const bytes = new Uint8Array(file)
  const footer = bytes.subarray(-TRAILER_BYTES - new DataView(file).getUint32(file.byteLength - TRAILER_BYTES, true))
  const parts = findFooterParts(footer)
  const all = findPagePlaces({ footer, parts, schema, without: new Set(), groupStarts: [0], tail: bytes, tailFrom: 0 })
  const places = all.of(0, 'value')
  if (places === undefined) throw new Error('the file has no such column')
  const own = readFlatColumn(places, { bytes: file, ...range, rows: Number(rows) })
  const others: unknown[] = []
  await parquetRead({
    file,
    compressors: decompressors,
    rowStart: range.from,
    rowEnd: range.to,
    onComplete: (rows: unknown[][]) => others.push(...rows.map(([value]) => value)),
  })
  return { own: own && [...own], others }
}

const numbers = fc.oneof(
  fc.array(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), { minLength: 1, maxLength: 300 }),
  // Like the columns of a day: rising, with deltas of every width that a double represents exactly.
  fc
    .tuple(
      fc.bigInt({ min: INT64_MIN / 4n, max: INT64_MAX / 4n }),
      fc.array(fc.bigInt({ min: -(2n ** 44n), max: 2n ** 44n }), { minLength: 1, maxLength: 700 }),
    )
    .map(([first, steps]) => steps.map((step, at) => first + BigInt(at) * 1_000n + step)),
  fc.array(fc.bigInt({ min: 0n, max: 20n }), { minLength: 1, maxLength: 700 }),
)
const words = fc.array(fc.constantFrom('buy', 'sell', '', 'é', 'a longer word'), { minLength: 1, maxLength: 700 })
const part = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))

function rangeOf(rows: number, [one, other]: [number, number]) {
  const places = [Math.floor(one * rows), Math.floor(other * rows)].toSorted((a, b) => a - b)
  const from = Math.min(places[0] ?? 0, rows - 1)
  return { from, to: Math.max(from + 1, places[1] ?? 0) }
}

test.each(['DELTA_BINARY_PACKED', 'RLE_DICTIONARY'] as const)(
  'any integers in %s are read as hyparquet reads them',
  async (encoding) => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(numbers, part, async (values, places) => {
        const file = write(BigInt64Array.from(values), encoding)
        const { own, others } = await readBoth(file, rangeOf(values.length, places))
        if (own === undefined) return
        read += 1
        expect(own).toEqual(others)
      }),
      { seed: PROPERTY_SEED, numRuns: 200 },
    )
    expect(read).toBeGreaterThan(80)
  },
)

test('text with a dictionary is read as hyparquet reads it', async () => {
  await fc.assert(
    fc.asyncProperty(words, part, async (values, places) => {
      const { own, others } = await readBoth(write(values, 'RLE_DICTIONARY'), rangeOf(values.length, places))
      expect(own).toEqual(others)
    }),
    { seed: PROPERTY_SEED, numRuns: 100 },
  )
})

test('deltas that a double cannot represent are decoded by hyparquet', async () => {
  const values = BigInt64Array.from([INT64_MAX, INT64_MIN, 0n, INT64_MAX])
  const { own, others } = await readBoth(write(values, 'DELTA_BINARY_PACKED'), { from: 0, to: 4 })
  expect(own).toBeUndefined()
  expect(others).toEqual([...values])
})
