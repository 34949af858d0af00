import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILES, type Profile } from '../lib/profiles.ts'
import { JOURNEYS } from './journeys.ts'
import type { LoadResult } from './load-result.ts'

/** docs/benchmarks/loads.md: the stored results of `npm run load -- <journey> <profile> --write`, as tables. */
export function writeLoadsPage(folder: string): string {
  const results = JOURNEYS.map(({ name }) => ({ name, of: PROFILES.map((profile) => resultOf(folder, name, profile)) }))
  return `# Load results

The last stored result of every journey under every profile (\`npm run load -- <journey> <profile> --write\`, [load-tests](../../load-tests/README.md)).
\`npm run golden\` generates this page from \`load-*.json\`, which also contain the commit, the machine's load, checks, latency by tier and the CPU
of each process. Platform and load generator shared two cores: the figures show what is possible, not how fast your servers are.

Rates are requests per second over the whole load; p99 is measured in the generator. A load without remark passed all checks. At their own
rates, the spikes of \`page-30-days\`, \`limits\`, \`sign-in\`, \`dashboard-during-load\` and \`sign-up-to-first-request\` are more than two cores serve
beside the generator: on 27 November 2026 they ran with \`--rate\` 0.4, 20, 1, 10 and 0.4. The other loads have the rates of load-tests/README.md, with \`--seconds\`.

${table(['Journey', ...PROFILES.filter((one) => one !== 'breakpoint')], results.map(rowOf))}

## Breakpoint

The rate rises until a check fails: the highest rate within five to ten seconds, and what ended the load. The generator ran on the same
two cores.

${table(['Journey', 'Highest rate', 'Ended by', 'After'], results.map(breakpointOf))}
`
}

type Results = { name: string; of: (LoadResult | undefined)[] }

function rowOf({ name, of }: Results): string[] {
  return [`\`${name}\``, ...PROFILES.flatMap((profile, n) => (profile === 'breakpoint' ? [] : [cellOf(of[n])]))]
}

function cellOf(result: LoadResult | undefined): string {
  if (result === undefined) return 'not run'
  const { requestsPerSecond, latencies, seconds, verdicts } = result
  const p99 = latencies['all']?.p99.toFixed(0) ?? '?'
  const violated = verdicts.filter(({ held }) => !held)
  const remark = violated.length === 0 ? '' : `, **violated**: ${violated.map(ruleOf).join('; ')}`
  return `${requestsPerSecond.toFixed(1)}/s, p99 ${p99} ms, ${seconds} s${remark}`
}

function breakpointOf({ name, of }: Results): string[] {
  const result = of[PROFILES.indexOf('breakpoint')]
  if (result === undefined) return [`\`${name}\``, 'not run', '', '']
  const highest = Math.max(...result.slices.map(({ perSecond }) => perSecond))
  const violated = result.verdicts.filter(({ held }) => !held)
  const rules = violated.length === 0 ? 'no rule' : violated.map(ruleOf).join('; ')
  return [`\`${name}\``, `${highest.toFixed(0)}/s`, rules, `${result.seconds} s`]
}

/** Rules of k6, and the words for their violation. */
const VIOLATIONS: readonly [rule: RegExp, words: string][] = [
  [/^http_req_duration\{tier:(\w+)\} p\((\d+)\)<(\d+)$/, 'p$2 of $1 above $3 ms'],
  [/^http_req_failed rate<0\.01$/, '1 % of the requests failed'],
  [/^dropped_iterations count<(\d+)$/, '$1 iterations without a free client'],
]

function ruleOf({ guarantee, found }: LoadResult['verdicts'][number]): string {
  const text = `${guarantee} ${found}`
  const [rule, words = ''] = VIOLATIONS.find(([one]) => one.test(text)) ?? []
  return rule === undefined ? text : text.replace(rule, words)
}

function resultOf(folder: string, journey: string, profile: Profile): LoadResult | undefined {
  const file = join(folder, `load-${journey}-${profile}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LoadResult) : undefined
}

function table(heads: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
