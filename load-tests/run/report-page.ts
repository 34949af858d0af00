import type { LatencyFigures } from '../lib/summary.ts'
import type { Change } from './compare-results.ts'
import { escapeHtml } from './escape-html.ts'
import type { LoadResult } from './load-result.ts'
import { drawSlices, LATENCY, RATE } from './slice-chart.ts'
import { STYLE } from './report-style.ts'

export type Comparison = { before: LoadResult; changes: Change[] }

/** The report of a load as a single HTML page without scripts, fonts or links to other files. */
export function reportPage(result: LoadResult, comparison?: Comparison): string {
  const { journey, profile, held, slices, seconds } = result
  const title = `${journey}, ${profile}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: ${held ? 'met' : 'violated'}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="verdict ${held ? 'met' : 'violated'}">${verdictText(result)}</p>
<p class="about">${escapeHtml(aboutText(result))}</p>
</header>
<section class="figures">${figures(result)}</section>
${slices.length > 1 ? `<section>${drawSlices(RATE, slices, seconds)}${drawSlices(LATENCY, slices, seconds)}</section>` : ''}
${section('What had to hold', verdictRows(result))}
${section('Times', table(['', 'answers', 'p50', 'p95', 'p99', 'max'], timeRows(result)))}
${result.checks.length === 0 ? '' : section('Checks', table(['', 'passed', 'failed'], checkRows(result)))}
${limitSection(result)}
${result.costs.length === 0 ? '' : section('CPU time per request', table(['process', 'µs', 'memory, MB'], costRows(result)))}
${comparison === undefined ? '' : comparisonSection(comparison)}
</main>
</body>
</html>
`
}

function verdictText({ held, verdicts }: LoadResult): string {
  const broken = verdicts.filter((one) => !one.held).length
  return held ? `All ${verdicts.length} rules are met.` : `${broken} of ${verdicts.length} rules are violated.`
}

function aboutText(result: LoadResult): string {
  const { at, commit, k6, node, processor, cores, loadAverage, platform, gateways } = result
  const where = platform === 'own' ? 'a platform of its own on the same machine' : 'a platform that was running'
  return (
    `${at.slice(0, 16).replace('T', ' ')} UTC, commit ${commit}, k6 ${k6}, Node ${node}, ${processor}, ${cores} cores, ` +
    `load average ${loadAverage.before} before and ${loadAverage.after} after; ${where}, ${gateways} gateway(s).`
  )
}

function figures(result: LoadResult): string {
  const { requests, requestsPerSecond, failedShare, droppedIterations, limiterOvershoot, refused, degraded } = result
  const { historyHours, retryAfterHonoured: honoured } = result
  const all: [string, string][] = [
    ['requests', String(requests)],
    ['per second', requestsPerSecond.toFixed(1)],
    ['p99', ms(result.latencies['all']?.p99)],
    ['failed', percent(failedShare)],
    ['dropped iterations', String(droppedIterations)],
    ['limiter overshoot', String(limiterOvershoot)],
    ['refused with 429', String(refused)],
    ['decided without Redis', String(degraded)],
    ...(historyHours === null ? [] : [['hours of records', historyHours.toFixed(1)] satisfies [string, string]]),
    ...(honoured === null ? [] : [['let in after Retry-After', percent(honoured)] satisfies [string, string]]),
  ]
  return `<dl>${all.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`
}

function verdictRows({ verdicts }: LoadResult): string {
  const rows = verdicts
    .toSorted((one, other) => Number(one.held) - Number(other.held))
    .map(({ guarantee, held, found }) => [mark(held), code(guarantee), code(found)])
  return table(['', 'of', 'rule or finding'], rows)
}

function timeRows({ latencies, times }: LoadResult): string[][] {
  const row = ([name, { count, p50, p95, p99, max }]: [string, LatencyFigures]) => [
    escapeHtml(name),
    String(count),
    ...[p50, p95, p99, max].map(ms),
  ]
  return [...Object.entries(latencies), ...Object.entries(times)].map(row)
}

function checkRows({ checks }: LoadResult): string[][] {
  return checks.map(({ name, passes, fails }) => [escapeHtml(name), String(passes), String(fails)])
}

function limitSection({ answers }: LoadResult): string {
  if (answers.length === 0) return ''
  const rows = answers.flatMap(({ account, accepted, overshoots }) =>
    overshoots.map(({ policy, limit, most, over }) => [
      `${account}`,
      String(accepted),
      escapeHtml(policy),
      String(limit),
      String(most),
      over === 0 ? '0' : `<strong>${over}</strong>`,
    ]),
  )
  const heads = ['account', 'accepted', 'window', 'limit', 'most in one', 'beyond']
  return section('Accepted requests and the limits that their responses reported', table(heads, rows))
}

function costRows({ costs }: LoadResult): string[][] {
  return costs
    .toSorted((one, other) => other.cpuMicrosPerRequest - one.cpuMicrosPerRequest)
    .map(({ name, cpuMicrosPerRequest, rssMb }) => [escapeHtml(name), cpuMicrosPerRequest.toFixed(0), rssMb.toFixed(0)])
}

function comparisonSection({ before, changes }: Comparison): string {
  const rows = changes.map(({ figure, before: was, now, unit, verdict }) => [
    escapeHtml(figure),
    `${plain(was)} ${unit}`,
    `${plain(now)} ${unit}`,
    `<span class="${verdict}">${verdict}</span>`,
  ])
  const last = `${before.at.slice(0, 16).replace('T', ' ')} UTC, commit ${before.commit}`
  return section(`Compared with the last run (${escapeHtml(last)})`, table(['', 'then', 'now', ''], rows))
}

function section(title: string, body: string): string {
  return `<section><h2>${title}</h2>${body}</section>`
}

/** Cells contain HTML. */
function table(heads: readonly string[], rows: readonly string[][]): string {
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

function mark(isMet: boolean): string {
  return isMet ? '<span class="better">met</span>' : '<span class="worse">violated</span>'
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}

function ms(value: number | undefined): string {
  return value === undefined ? '' : `${plain(value)} ms`
}

function percent(share: number): string {
  return `${plain(100 * share)} %`
}

function plain(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2)))
}
