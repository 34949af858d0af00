import { parquetMetadata } from 'hyparquet'
import { expect, test } from 'vitest'
import { refOf, writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import { someL2Rows, someTradeRows } from '../../../test/lake/some-rows.fixture.ts'
import { openFile } from './open-file.ts'

test.each([
  ['trade', someTradeRows(40_000)],
  ['l2_event', someL2Rows(9_000, 3)],
] as const)('%s: each row group has the metadata of the whole footer', async (channel, rows) => {
  const written = writeRows(channel, rows)
  const bytes = written.bytes.slice()
  const whole = parquetMetadata(bytes.buffer, { geoparquet: false })
  const file = await openFile(refOf(channel, written), async (from, to) => bytes.slice(from, to).buffer)
  expect(whole.row_groups.length).toBeGreaterThan(1)
  expect(file.rows).toBe(Number(whole.num_rows))
  expect(file.groups.map(({ rows }) => rows)).toEqual(whole.row_groups.map((group) => Number(group.num_rows)))
  const { metadataOf } = await file.footer()
  for (const [index, group] of file.groups.entries()) {
    const columns = whole.row_groups[index]?.columns ?? []
    expect(metadataOf(index).row_groups[0]?.columns.map(placesOf)).toEqual(columns.map(placesOf))
    const first = columns[0]?.meta_data
    expect(group.from).toBe(Number(first?.dictionary_page_offset ?? first?.data_page_offset))
  }
})

type Column = ReturnType<typeof parquetMetadata>['row_groups'][number]['columns'][number]

function placesOf({ meta_data: column, offset_index_offset: at, offset_index_length: length }: Column) {
  return { at, length, path: column?.path_in_schema, codec: column?.codec, data: column?.data_page_offset }
}
