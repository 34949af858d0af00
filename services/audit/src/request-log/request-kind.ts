import { type Decision, Policy, type UsageRequestServed } from '@tapeline/contracts/usage/events'
import { Value } from 'typebox/value'

/** What many requests have in common, stored once. `limits`: policy and limit per window, as `burst:10,min:60`. */
export type RequestKind = Pick<UsageRequestServed, 'tier' | 'method' | 'route' | 'status' | 'outcome' | 'code'> & {
  verdict: Decision['verdict']
  limits: string
  /** Proposal of the shadow limits, if any were evaluated. */
  proposal: string | null
}

export function kindOf({ tier, method, route, status, outcome, code, decision }: UsageRequestServed): RequestKind {
  const { verdict, windows, shadow } = decision
  return {
    tier,
    method,
    route,
    status,
    outcome,
    code,
    verdict,
    limits: limitsText(windows),
    proposal: shadow?.proposal ?? null,
  }
}

/** `burst:10,min:60`, in the order of the windows. */
export function limitsText(windows: Decision['windows']): string {
  let text = ''
  for (const { policy, limit } of windows) text += `${text === '' ? '' : ','}${policy}:${limit}`
  return text
}

type LimitOfWindow = { policy: Policy; limit: number }

/** Parsed texts that are kept; there are few, one per set of limits. */
const PARSED_MAX = 1_000
const parsed = new Map<string, readonly LimitOfWindow[]>()

export function limitsOf(text: string): readonly LimitOfWindow[] {
  const found = parsed.get(text)
  if (found !== undefined) return found
  const limits = text === '' ? [] : text.split(',').map(parseLimit)
  if (parsed.size >= PARSED_MAX) parsed.clear()
  parsed.set(text, limits)
  return limits
}

function parseLimit(pair: string): LimitOfWindow {
  const [policy, limit] = pair.split(':')
  return { policy: Value.Parse(Policy, policy), limit: Number(limit) }
}
