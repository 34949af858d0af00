import type { Percentiles } from '@tapeline/contracts/audit/http'
import type { ReadSums } from './read-usage-sums.ts'
import type { RowSums } from './report-queries.ts'
import { mergeEncoded, mergeSketch, quantilesOf, type Sketch } from './sketch.ts'

export type Counts = {
  total: number
  success: number
  failed: number
  denied: number
  client_errors: number
  server_errors: number
}
/** Running sums of one bucket, one row, or all. */
export type Tally = { counts: Counts; latency: Sketch; lastAt: Date | undefined }

export function emptyTally(): Tally {
  return {
    counts: { total: 0, success: 0, failed: 0, denied: 0, client_errors: 0, server_errors: 0 },
    latency: new Map(),
    lastAt: undefined,
  }
}

/** Sums per bucket of the series, per row and of all; sketches are read straight into where they are added up. */
export function tallySums({ series, rows }: ReadSums, bucketCount: number) {
  const perBucket = Array.from({ length: bucketCount }, emptyTally)
  const perRow = new Map<string, Tally>()
  for (const sum of series) {
    const bucket = perBucket[sum.bucket - 1]
    if (bucket !== undefined) addToTally(bucket, sum)
  }
  for (const sum of rows) {
    const row = perRow.get(sum.row_key) ?? emptyTally()
    perRow.set(sum.row_key, row)
    addToTally(row, sum)
  }
  const all = emptyTally()
  for (const tally of perBucket) mergeTally(all, tally)
  return { all, series: perBucket, rows: perRow }
}

/** `failed` = everything but success: 4xx, 5xx, denied and aborted. */
export function addToTally(tally: Tally, { outcome, requests, latency, last_at }: Omit<RowSums, 'row_key'>): void {
  const { counts } = tally
  const count = Number(requests)
  counts.total += count
  if (outcome === 'ok') counts.success += count
  else counts.failed += count
  if (outcome === 'denied') counts.denied += count
  if (outcome === 'client_error') counts.client_errors += count
  if (outcome === 'server_error') counts.server_errors += count
  if (latency !== null) mergeEncoded(tally.latency, latency)
  if (tally.lastAt === undefined || last_at > tally.lastAt) tally.lastAt = last_at
}

function mergeTally(into: Tally, { counts, latency }: Tally): void {
  for (const name of COUNTS) into.counts[name] += counts[name]
  mergeSketch(into.latency, latency)
}

const QUANTILES = [0.5, 0.95, 0.99]
const US_PER_MS = 1_000
/** Rounding must not add to the sketch's error. */
const DIGITS = 7
const COUNTS = ['total', 'success', 'failed', 'denied', 'client_errors', 'server_errors'] as const

export function percentilesOf(latency: Sketch): Percentiles | null {
  const [p50, p95, p99] = (quantilesOf(latency, QUANTILES) ?? []).map(toMs)
  return p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99 }
}

function toMs(latencyUs: number): number {
  return Number((latencyUs / US_PER_MS).toPrecision(DIGITS))
}
