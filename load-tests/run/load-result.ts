import type { LoadSummary } from '../lib/summary.ts'
import type { AnswersOfAccount } from './accepted-answers.ts'

/** Resource usage of a process during the load. */
export type Cost = { name: string; cpuMicrosPerRequest: number; rssMb: number }
export type Verdict = { guarantee: string; held: boolean; found: string }
/** The stored result of a load. */
export type LoadResult = LoadSummary & {
  at: string
  commit: string
  k6: string
  node: string
  processor: string
  cores: number
  loadAverage: { before: number; after: number }
  /** `own`: a platform on the same machine as the generator. */
  platform: 'own' | 'named'
  gateways: number
  costs: Cost[]
  answers: AnswersOfAccount[]
  verdicts: Verdict[]
  held: boolean
}

/** Verdicts of k6's thresholds, and of rules that need data of clients and platform. */
export function verdictsOf(summary: LoadSummary, answers: readonly AnswersOfAccount[]): Verdict[] {
  const rules = summary.rules.map(({ metric, rule, held }) => ({ guarantee: metric, held, found: rule }))
  if (summary.logged === null) return rules
  const overshoots = answers.flatMap(({ account, overshoots: all }) => all.map((one) => ({ account, ...one })))
  const exceeded = overshoots.filter((one) => one.over > 0)
  const accepted = answers.reduce((sum, one) => sum + one.accepted, 0)
  const binding = overshoots.filter(({ most, limit }) => most >= limit)
  return [
    ...rules,
    {
      guarantee: 'accepted answers, by the clients’ clocks, never exceed a limit that the responses reported',
      held: exceeded.length === 0 && accepted > 0,
      found: exceeded.length > 0 ? exceeded.map(textOf).join('; ') : `${accepted} accepted`,
    },
    {
      guarantee: 'a limit was reached, so the limiter was exercised',
      held: binding.length > 0,
      found: binding.map(textOf).join('; ') || 'none',
    },
    {
      guarantee: 'the request log has every accepted answer',
      held: summary.logged >= accepted,
      found: `${summary.logged} logged, ${accepted} answered`,
    },
  ]
}

function textOf({ account, policy, most, limit }: { account: number; policy: string; most: number; limit: number }) {
  return `account ${account}: ${most} in one ${policy} of ${limit}`
}
