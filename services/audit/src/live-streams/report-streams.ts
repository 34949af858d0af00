import type { StreamCounts, StreamUsage } from '@tapeline/contracts/audit/http'
import type { Kysely } from 'kysely'
import { type SeriesPart, seriesPlan } from '../reports/series-plan.ts'
import { joinRanges } from '../rollups/read-plan.ts'
import { LEVELS } from '../rollups/roll-up.ts'
import type { Tables } from '../tables.ts'
import { type StreamBucket, sumStreams } from './stream-usage-queries.ts'

export type StreamReportQuery = {
  accountId: string
  keyId: string | undefined
  /** Starts of the buckets of the series and the end of the last one: whole minutes. */
  edgesMs: readonly number[]
}

const COUNTS = ['connections', 'messages', 'bytes_in', 'bytes_out', 'open_ms'] as const

/** What live streams delivered in a period, in total and per bucket. */
export async function reportStreams(db: Kysely<Tables>, question: StreamReportQuery): Promise<StreamUsage> {
  const { edgesMs, ...of } = question
  const series = edgesMs.slice(1).map(none)
  const plan = seriesPlan(edgesMs)
  for (const level of LEVELS.filter((one) => plan[one].length > 0)) {
    const pieces = plan[level]
    const read = { ...of, level, ranges: joinRanges(pieces), edgesMs: pieces.map(({ fromMs }) => fromMs) }
    for (const found of await sumStreams(db, read)) addPiece(series, found, pieces[found.bucket - 1])
  }
  const all = none()
  for (const counts of series) for (const name of COUNTS) all[name] += counts[name]
  return { ...all, series }
}

function none(): StreamCounts {
  return { connections: 0, messages: 0, bytes_in: 0, bytes_out: 0, open_ms: 0 }
}

function addPiece(series: readonly StreamCounts[], found: StreamBucket, piece: SeriesPart | undefined): void {
  const [to, from] = [piece?.addTo, piece?.takeFrom].map((bucket) =>
    bucket === undefined ? undefined : series[bucket],
  )
  for (const name of COUNTS) {
    if (to !== undefined) to[name] += Number(found[name])
    if (from !== undefined) from[name] -= Number(found[name])
  }
}
