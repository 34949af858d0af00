import type { LoadResult } from './load-result.ts'
import type { Comparison } from './report-page.ts'

/** Terminal summary of a load: the figures, violations, and changes since the last run. */
export function textOf(result: LoadResult, comparison: Comparison | undefined): string {
  const { requests, requestsPerSecond, seconds, droppedIterations, limiterOvershoot, verdicts, held } = result
  const history = result.historyHours
  const broken = verdicts.filter((one) => !one.held)
  const changes = (comparison?.changes ?? []).filter(({ verdict }) => verdict !== 'same')
  return [
    `${requests} requests in ${seconds} s, ${requestsPerSecond.toFixed(1)}/s; ${droppedIterations} dropped, ${limiterOvershoot} beyond a limit`,
    ...(history === null ? [] : [`  reads from ${history.toFixed(1)} hours of records`]),
    ...Object.entries(result.latencies).map(
      ([name, { count, p50, p95, p99 }]) =>
        `  ${name.padEnd(6)} ${String(count).padStart(8)}  p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  p99 ${p99.toFixed(1)} ms`,
    ),
    ...Object.entries(result.times).map(
      ([name, { p50, p99 }]) => `  ${name}: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms`,
    ),
    ...result.checks.filter(({ fails }) => fails > 0).map(({ name, fails }) => `  failed ${fails} times: ${name}`),
    ...broken.map(({ guarantee, found }) => `VIOLATED ${guarantee}: ${found}`),
    ...changes.map(({ figure, before, now, unit, verdict }) => {
      return `  ${verdict} than the last run: ${figure} ${before.toFixed(1)} → ${now.toFixed(1)} ${unit}`
    }),
    held ? `met: all ${verdicts.length} rules` : `violated: ${broken.length} of ${verdicts.length} rules`,
  ].join('\n')
}
