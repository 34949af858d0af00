import { parquetMetadata, readOffsetIndex } from 'hyparquet'
import { expect, test } from 'vitest'
import { refOf, writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import { someL2Rows, someTradeRows } from '../../../test/lake/some-rows.fixture.ts'
import { openFile } from './open-file.ts'

type Column = ReturnType<typeof parquetMetadata>['row_groups'][number]['columns'][number]

test.each([
  ['trade', someTradeRows(40_000), ['sequence', 'ts_event', 'price', 'size', 'source_id']],
  ['l2_event', someL2Rows(9_000, 3), ['sequence', 'ts_event', 'type']],
] as const)('%s: pages are at the offsets of the offset indexes', async (channel, rows, names) => {
  const written = writeRows(channel, rows)
  const { buffer } = written.bytes.slice()
  const { row_groups: groups } = parquetMetadata(buffer, { geoparquet: false })
  const { places, ...file } = await openFile(refOf(channel, written), async (from, to) => buffer.slice(from, to))
  expect([...places.names]).toEqual(expect.arrayContaining([...names]))
  const columns = groups.flatMap((group, index) => group.columns.map((column) => ({ index, column })))
  const found = columns.map(({ index, column }) => ({ index, column, own: places.of(index, nameOf(column)) }))
  const flat = found.filter(({ own }) => own !== undefined)
  expect(flat).toHaveLength(places.names.size * groups.length)
  for (const { index, column, own } of flat) {
    const from = file.groups[index]?.from ?? 0
    const pages = own?.pages.map((page) => [from + page.from, page.to - page.from, page.firstRow])
    expect(pages).toEqual(pagesOf(buffer, column))
    const dictionary = column.meta_data?.dictionary_page_offset
    expect(own?.dictionary && from + own.dictionary.from).toBe(dictionary && Number(dictionary))
  }
})

function nameOf({ meta_data: column }: Column): string {
  return column?.path_in_schema[0] ?? ''
}

/** Offset, bytes and first row of each page. A column of one page has no index. */
function pagesOf(file: ArrayBuffer, { offset_index_offset: at, offset_index_length: length, meta_data: data }: Column) {
  if (at !== undefined && length !== undefined) {
    const { page_locations: pages } = readOffsetIndex({ view: new DataView(file, Number(at), length), offset: 0 })
    return pages.map((page) => [Number(page.offset), page.compressed_page_size, Number(page.first_row_index)])
  }
  const first = Number(data?.data_page_offset)
  const begin = Number(data?.dictionary_page_offset ?? data?.data_page_offset)
  return [[first, begin + Number(data?.total_compressed_size) - first, 0]]
}
