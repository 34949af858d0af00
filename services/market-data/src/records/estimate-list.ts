import type { UserActor } from '@tapeline/contracts/actor'
import type { Deps } from '../deps.ts'
import { countStoredRows } from '../lake/reading/count-stored-rows.ts'
import { batchLength, type RowBatch } from '../lake/reading/row-batch.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import { type Filter, invalid, type ListBody } from './filter.ts'
import { listRecords, type RecordPage } from './list-records.ts'
import { byEventTime } from './scan.ts'

/** `bytes`: of the records, uncompressed. `is_exact` is about `records`. */
export type Estimate = { records: number; bytes: number; is_exact: boolean }
type Estimated = { page: RecordPage; estimate: Estimate }

const SAMPLE_RECORDS = 1_000

/**
 * Estimates the whole range of a call: its records are counted from the manifest and the indexes, its bytes follow from
 * the size of the first records. With further conditions, the share of matching records follows from them too.
 * @throws `filter.invalid` with a cursor, because its pages have begun
 */
export async function estimateList(
  deps: Deps,
  actor: UserActor,
  { channel, body }: { channel: ChannelName; body: ListBody },
  sizeOf: (page: RecordPage, batches: readonly RowBatch[]) => number,
): Promise<Estimated> {
  if (typeof body.cursor === 'string') throw invalid('/dry_run', 'const', 'false')
  const page = await listRecords(deps, actor, channel, { ...body, limit: SAMPLE_RECORDS })
  const sample = page.batches.reduce((sum, batch) => sum + batchLength(batch), 0)
  const { records, isExact } = page.hasMore
    ? await countMatching(deps, channel, page)
    : { records: sample, isExact: true }
  const bytesEach = sample === 0 ? 0 : sizeOf(page, page.batches) / sample
  return { page, estimate: { records, bytes: Math.round(bytesEach * records), is_exact: isExact } }
}

async function countMatching(deps: Deps, channel: ChannelName, page: RecordPage) {
  const { filter } = byEventTime(page.filter)
  const instrumentIds = page.instruments.map(({ instrumentId }) => instrumentId)
  const [start, end] = [BigInt(filter.start ?? 0), BigInt(filter.end ?? NANOSECONDS_MAX)]
  const all = await countStoredRows(deps, { channel, instrumentIds, start, end })
  if (!hasConditions(page.filter) || page.reached === undefined) return { records: all.rows, isExact: all.isExact }
  const reached = BigInt(page.reached.tsEvent)
  const [from, to] = filter.order === 'asc' ? [start, reached + 1n] : [reached, end]
  const counted = await countStoredRows(deps, { channel, instrumentIds, start: from, end: to })
  const share = counted.rows === 0 ? 1 : page.rows.length / counted.rows
  return { records: Math.max(page.rows.length, Math.round(all.rows * share)), isExact: false }
}

function hasConditions({ side, price, size, types, time_field, as_of }: Filter): boolean {
  return [side, price, size, types, as_of].some((condition) => condition !== undefined) || time_field === 'ts_recv'
}
