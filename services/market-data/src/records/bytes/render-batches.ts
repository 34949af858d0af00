import { batchLength, type RowBatch } from '../../lake/reading/row-batch.ts'
import type { ChannelName } from '../../tables.ts'
import type { RecordPage } from '../list-records.ts'
import type { ByteWriter } from './byte-writer.ts'
import { renderChannel } from '../render-channel.ts'
import { release, takeWriter } from './page-writers.ts'
import { writeTradeSpan } from './trade-bytes.ts'

type Shown = Pick<RecordPage, 'instruments' | 'filter'>

/** The records of batches as JSON with this text between them. */
export function renderBatches(
  channel: ChannelName,
  page: Shown,
  batches: readonly RowBatch[],
  separator: string,
): Buffer {
  const out = takeWriter(rowsIn(batches))
  writeBatches(out, { channel, page, batches, separator })
  const written = out.written()
  release(out)
  return written
}

export function rowsIn(batches: readonly RowBatch[]): number {
  return batches.reduce((sum, batch) => sum + batchLength(batch), 0)
}

type Records = { channel: ChannelName; page: Shown; batches: readonly RowBatch[]; separator: string }

export function writeBatches(out: ByteWriter, { channel, page, batches, separator }: Records): void {
  const { instruments, filter } = page
  const render = renderChannel(channel, page, separator)
  const hasConditions = filter.include?.includes('conditions') ?? false
  const spans = { instruments, timeFormat: filter.time_format, hasConditions, separator }
  for (const [index, batch] of batches.entries()) {
    if (index > 0) out.text(separator)
    if ('rows' in batch) out.text(batch.rows.map(render).join(separator))
    else writeTradeSpan(out, batch, spans)
  }
}
