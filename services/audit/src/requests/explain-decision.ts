import type { Tier } from '@tapeline/contracts/actor'
import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import type { Decision, Policy } from '@tapeline/contracts/usage/events'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { planThatPasses } from './plan-that-passes.ts'

/** `tiers` as they are now; `tier` the request's. */
export type DecidedRequest = {
  time: Date
  code: string | null
  decision: Decision
  tier: Tier
  tiers: TierConfig | undefined
}

const NAMES: Record<Policy, string> = {
  burst: 'one-second window',
  min: 'minute window',
  hour: 'hour window',
  day: 'day window',
  month: 'month',
  conc: 'concurrency limit',
}
const REFUSALS: Readonly<Record<string, string>> = {
  'api_key.inactive': 'this API key was not active',
  'api_key.expired': 'this API key had expired',
  'api_key.revoked': 'this API key had been revoked',
  'api_key.replaced': 'this secret of the API key had been replaced',
  'api_key.scope_missing': 'this API key lacked the scope for the call',
  'api_key.address_not_allowed': 'this API key is not allowed from the address of the caller',
  'credential.invalid': 'the API key had been deleted, or its account was not active',
  'request.forbidden': 'an API key cannot be used for this call',
  'session.ended': 'the session had ended',
}
const DAY_CHARACTERS = 'YYYY-MM-DDT'.length

/** The limiter's decision about one request, in words and numbers. */
export function explainDecision({ time, code, decision, tier, tiers }: DecidedRequest): Explanation {
  const { verdict, degraded, denied_by, key_denied_by = [], key_windows = [] } = decision
  const windows = explainWindows(time, decision.windows, { deniedBy: denied_by, of: '' })
  const ofKey = explainWindows(time, key_windows, { deniedBy: key_denied_by, of: ' of this key' })
  const isTimed = verdict === 'denied' && decision.retry_after_ms > 0
  const passesAt = isTimed ? after(time, decision.retry_after_ms) : null
  const all = [...windows, ...ofKey]
  const words = { denied: () => denialOf(time, all, passesAt), refused: () => refusalOf(code), admitted }
  const share = degraded ? 'Redis was away, so the gateway decided by its share of the limits. ' : ''
  const text = share + words[verdict](all)
  const wouldPassWith = planThatPasses(decision, tier, tiers)
  return {
    verdict,
    degraded,
    text,
    denied_by,
    passes_at: passesAt,
    would_pass_with: wouldPassWith,
    windows,
    key_windows: ofKey,
  }
}

type Denial = { deniedBy: readonly Policy[]; of: string }

function explainWindows(time: Date, windows: Decision['windows'], { deniedBy, of }: Denial): ExplainedWindow[] {
  return windows.map(({ policy, used, limit, reset_ms }) => ({
    policy,
    name: NAMES[policy] + of,
    used,
    limit,
    remaining: Math.max(0, limit - used),
    has_denied: deniedBy.includes(policy),
    resets_at: reset_ms === undefined ? null : after(time, reset_ms),
  }))
}

function denialOf(time: Date, windows: readonly ExplainedWindow[], passesAt: string | null): string {
  const denials = windows.filter(({ has_denied }) => has_denied)
  if (denials.length === 1 && denials[0] !== undefined) {
    return `Denied by the ${fillOf(denials[0])}; ${passageOf(time, denials[0], passesAt)}.`
  }
  const each = denials.map((one) => `by the ${fillOf(one)} (${passageOf(time, one, one.resets_at)})`)
  const all = passesAt === null ? '' : ` All of them let one pass at ${clock(time, passesAt)}.`
  return `Denied ${each.join(' and ')}.${all}`
}

function fillOf({ policy, name, used, limit }: ExplainedWindow): string {
  return policy === 'conc' ? `${name}: ${used} of ${limit} requests were open` : `${name}: ${used} of ${limit} used`
}

function passageOf(time: Date, { policy }: ExplainedWindow, at: string | null): string {
  if (policy === 'conc') return 'one passes as soon as one of them ends'
  return at === null ? 'when one passes was not recorded' : `one passes at ${clock(time, at)}`
}

function refusalOf(code: string | null): string {
  const reason = REFUSALS[code ?? ''] ?? 'the credential opened nothing'
  const named = code === null ? '' : ` (${code})`
  return `Refused before any limit was looked at: ${reason}${named}. It used nothing of the limits.`
}

function admitted(windows: readonly ExplainedWindow[]): string {
  const tightest = windows.toSorted((a, b) => a.remaining - b.remaining)[0]
  if (tightest === undefined) return 'Admitted.'
  return `Admitted: every limit had room, the least of them the ${fillOf(tightest)} with this request.`
}

function after(time: Date, ms: number): string {
  return new Date(time.getTime() + ms).toISOString()
}

/** The day is said only where it is another one. */
function clock(time: Date, at: string): string {
  return at.slice(0, DAY_CHARACTERS) === time.toISOString().slice(0, DAY_CHARACTERS) ? at.slice(DAY_CHARACTERS) : at
}
