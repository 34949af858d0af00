import type { Kysely } from 'kysely'
import { listPartitionDays } from '../rollups/partition-queries.ts'
import { STORED, type Stored } from '../rollups/roll-up.ts'
import { SketchSum } from '../rollups/sketch.ts'
import { SUM_LEVELS } from '../live-streams/record-streams.ts'
import { listStreamMismatches, type StreamMismatch } from '../live-streams/stream-usage-queries.ts'
import { listArchivedDays } from '../request-log/archive/archive-queries.ts'
import type { Tables } from '../tables.ts'
import {
  countDeadLetters,
  countRepeatedIds,
  countRows,
  listArchivedMismatches,
  listMismatches,
  listNetworkMismatches,
  listSketches,
  type Mismatch,
  type NetworkMismatch,
  type RowCounts,
  sumRequests,
} from './verify-queries.ts'

export type LevelVerdict = { requests: number; latencies: number; mismatches: Mismatch[] }
export type UsageVerdict = {
  isRight: boolean
  rows: number
  repeatedIds: number
  deadLetters: number
  levels: Record<Stored, LevelVerdict>
  networks: NetworkMismatch[]
  streams: StreamMismatch[]
  /** Archived days that differ from their roll-ups. */
  archivedDays: string[]
}

/**
 * Checks that the roll-ups are the sums of the rows, from the first day that is not archived, that each event is stored once,
 * and that archived days have as many requests as their roll-ups.
 */
export async function verifyUsage(db: Kysely<Tables>, account: string | null): Promise<UsageVerdict> {
  const since = await findFirstDay(db)
  const counts = await countRows(db, account, since)
  const repeatedIds = await countRepeatedIds(db)
  const levels = {
    minute: await verifyLevel(db, 'minute', account, since),
    quarter_hour: await verifyLevel(db, 'quarter_hour', account, since),
    hour: await verifyLevel(db, 'hour', account, since),
    account_hour: await verifyLevel(db, 'account_hour', account, since),
    account_day: await verifyLevel(db, 'account_day', account, since),
    day: await verifyLevel(db, 'day', account, since),
  }
  const networks = [
    ...(await listNetworkMismatches(db, 'quarter_hour', account, since)),
    ...(await listNetworkMismatches(db, 'day', account, since)),
  ]
  const streams = await verifyStreams(db, account)
  const archivedDays = await listArchivedMismatches(db)
  const areSums = [networks, streams, archivedDays].every(({ length }) => length === 0)
  const isRight = repeatedIds === 0 && areSums && STORED.every((level) => isConsistent(levels[level], counts))
  const deadLetters = await countDeadLetters(db)
  return { isRight, rows: counts.rows, repeatedIds, deadLetters, levels, networks, streams, archivedDays }
}

/** The first day with all its rows in the log. */
async function findFirstDay(db: Kysely<Tables>): Promise<Date> {
  const sources = ['request_log', 'usage_event'] as const
  const days = await Promise.all(sources.map((table) => listPartitionDays(db, table)))
  const archived = (await listArchivedDays(db)).filter(({ isDropped }) => isDropped)
  const lastArchived = archived.at(-1)?.day ?? ''
  const [firstDay = '9999-12-31'] = days
    .flat()
    .toSorted()
    .filter((day) => day > lastArchived)
  return new Date(firstDay)
}

function isConsistent({ requests, latencies, mismatches }: LevelVerdict, counts: RowCounts): boolean {
  return mismatches.length === 0 && requests === counts.rows && latencies === counts.withLatency
}

async function verifyStreams(db: Kysely<Tables>, account: string | null): Promise<StreamMismatch[]> {
  const [firstDay = '9999-12-31'] = await listPartitionDays(db, 'usage_stream')
  const found: StreamMismatch[] = []
  for (const level of SUM_LEVELS) found.push(...(await listStreamMismatches(db, level, account, new Date(firstDay))))
  return found
}

async function verifyLevel(
  db: Kysely<Tables>,
  level: Stored,
  account: string | null,
  since: Date,
): Promise<LevelVerdict> {
  const sketch = new SketchSum()
  for (const encoded of await listSketches(db, level, account, since)) sketch.addEncoded(encoded)
  return {
    requests: await sumRequests(db, level, account, since),
    latencies: sketch.count(),
    mismatches: await listMismatches(db, level, account, since),
  }
}
