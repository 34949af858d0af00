import { profileNamed, secondsOf } from './profiles.ts'
import { slicesOf } from './slices.ts'
import { type K6Summary, type LoadSummary, summarize } from './summary.ts'

/** A journey's handleSummary: the result goes to SUMMARY_FILE, a short summary to the terminal. */
export function finish(journey: string, data: unknown): Record<string, string> {
  const profile = profileNamed(__ENV['PROFILE'] || 'smoke') ?? 'smoke'
  const seconds = __ENV['SECONDS'] ? Number(__ENV['SECONDS']) : undefined
  const sliceSeconds = slicesOf(secondsOf(profile, { seconds })).seconds
  // k6 declares this argument as any.
  const summary = summarize(data as K6Summary, { journey, profile, sliceSeconds })
  const file = __ENV['SUMMARY_FILE']
  if (file !== undefined) return { [file]: JSON.stringify(summary) }
  return { stdout: `${linesOf(summary).join('\n')}\n` }
}

function linesOf(summary: LoadSummary): string[] {
  const { journey, profile, requests, requestsPerSecond, latencies, rules } = summary
  const all = latencies['all']
  return [
    `${journey}, ${profile}: ${requests} requests, ${requestsPerSecond.toFixed(1)}/s, p95 ${all?.p95.toFixed(1)} ms, p99 ${all?.p99.toFixed(1)} ms`,
    ...rules.map(({ metric, rule, held }) => `${held ? 'met     ' : 'VIOLATED'} ${metric} ${rule}`),
  ]
}
