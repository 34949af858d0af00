import type { Percentiles } from '@tapeline/contracts/audit/http'
import type { RowSums } from './report-queries.ts'
import { SketchSum } from '../rollups/sketch.ts'

export type Counts = {
  total: number
  success: number
  failed: number
  denied: number
  client_errors: number
  server_errors: number
}
/** Running sums of one bucket, of one row, or in total. */
export type UsageTotals = { counts: Counts; latency: SketchSum; lastAt: Date | undefined }

export function emptyTotals(): UsageTotals {
  return {
    counts: { total: 0, success: 0, failed: 0, denied: 0, client_errors: 0, server_errors: 0 },
    latency: new SketchSum(),
    lastAt: undefined,
  }
}

/**
 * `failed` = every outcome except success: 4xx, 5xx, denied and aborted. Sums can be subtracted again, except the
 * time of the last request.
 */
export function addToTotals(
  totals: UsageTotals,
  { outcome, requests, latency, last_at }: Omit<RowSums, 'row_key'>,
  factor: 1 | -1 = 1,
): void {
  const { counts } = totals
  const count = Number(requests) * factor
  counts.total += count
  if (outcome === 'ok') counts.success += count
  else counts.failed += count
  if (outcome === 'denied') counts.denied += count
  if (outcome === 'client_error') counts.client_errors += count
  if (outcome === 'server_error') counts.server_errors += count
  if (latency !== null) totals.latency.addBase64(latency, factor)
  if (totals.lastAt === undefined || last_at > totals.lastAt) totals.lastAt = last_at
}

export function mergeTotals(into: UsageTotals, { counts, latency }: UsageTotals): void {
  for (const name of COUNTS) into.counts[name] += counts[name]
  into.latency.add(latency)
}

const QUANTILES = [0.5, 0.95, 0.99]
const US_PER_MS = 1_000
/** Rounding must not increase the sketch's error. */
const DIGITS = 7
const COUNTS = ['total', 'success', 'failed', 'denied', 'client_errors', 'server_errors'] as const

export function percentilesOf(latency: SketchSum): Percentiles | null {
  const [p50, p95, p99] = (latency.quantiles(QUANTILES) ?? []).map(toMs)
  return p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99 }
}

function toMs(latencyUs: number): number {
  return Number((latencyUs / US_PER_MS).toPrecision(DIGITS))
}
