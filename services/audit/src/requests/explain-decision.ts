import type { Tier } from '@tapeline/contracts/actor'
import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import type { Decision, Policy, RejectedField } from '@tapeline/contracts/usage/events'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { type AnsweredRequest, explainAnswer } from './explain-answer.ts'
import { limitWords } from './limit-words.ts'
import { planThatPasses } from './plan-that-passes.ts'
import { fieldSentence } from '@tapeline/contracts/field-sentence'

/** `tiers` are the current ones; `tier` is the request's. */
export type DecidedRequest = Omit<AnsweredRequest, 'rejectedFields'> & {
  time: Date
  decision: Decision
  rejectedFields: readonly RejectedField[]
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
const NOT_COUNTED = 'It did not count against any limit.'
const DAY_CHARACTERS = 'YYYY-MM-DDT'.length

/** Explains the limiter's decision about a request and the response, as text and numbers. */
export function explainDecision(request: DecidedRequest): Explanation {
  const { time, code, decision, tier, tiers } = request
  const { verdict, degraded, denied_by, key_denied_by = [], key_windows = [] } = decision
  const windows = explainWindows(time, decision.windows, { deniedBy: denied_by, of: '' })
  const ofKey = explainWindows(time, key_windows, { deniedBy: key_denied_by, of: ' of this key' })
  const isTimed = verdict === 'denied' && decision.retry_after_ms > 0
  const passesAt = isTimed ? after(time, decision.retry_after_ms) : null
  const rejectedFields = request.rejectedFields.map(explainRejectedField)
  const words = {
    denied: () => denialOf(time, { windows, ofKey, passesAt }),
    refused: () => refusalOf(code),
    admitted: () => explainAnswer({ ...request, rejectedFields }, [...windows, ...ofKey]),
  }
  const share = degraded ? 'Redis was unavailable, so the gateway applied its share of the limits. ' : ''
  return {
    verdict,
    degraded,
    text: share + words[verdict](),
    denied_by,
    passes_at: passesAt,
    would_pass_with: planThatPasses(decision, tier, tiers),
    rejected_fields: rejectedFields,
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

type Denied = { windows: readonly ExplainedWindow[]; ofKey: readonly ExplainedWindow[]; passesAt: string | null }

function denialOf(time: Date, { windows, ofKey, passesAt }: Denied): string {
  const ofAccount = windows.filter(({ has_denied }) => has_denied).map(limitWords)
  const ofThisKey = ofKey.filter(({ has_denied }) => has_denied).map((one) => `${limitWords(one)} (limit of this key)`)
  const reasons = [...ofAccount, ...ofThisKey].join('; ')
  return `Rejected: ${reasons}. ${nextOf(time, [...windows, ...ofKey], passesAt)}${NOT_COUNTED}`
}

function nextOf(time: Date, windows: readonly ExplainedWindow[], passesAt: string | null): string {
  if (passesAt !== null) return `The next request was possible at ${clock(time, passesAt)}. `
  const isConcurrency = windows.some(({ policy, has_denied }) => has_denied && policy === 'conc')
  return isConcurrency ? 'The next request is possible when an open one ends. ' : ''
}

function refusalOf(code: string | null): string {
  const reason = REFUSALS[code ?? ''] ?? 'the credential gives no access to this call'
  const named = code === null ? '' : ` (${code})`
  return `Rejected before any limit was checked: ${reason}${named}. ${NOT_COUNTED}`
}

function after(time: Date, ms: number): string {
  return new Date(time.getTime() + ms).toISOString()
}

/** The date is included only when it differs from the request's. */
function clock(time: Date, at: string): string {
  return at.slice(0, DAY_CHARACTERS) === time.toISOString().slice(0, DAY_CHARACTERS) ? at.slice(DAY_CHARACTERS) : at
}

type ExplainedField = Explanation['rejected_fields'][number]

/** A rejected field with its message, as in the response's `errors`. */
function explainRejectedField(rejected: RejectedField): ExplainedField {
  const { field, rule, limit } = rejected
  const name = field === '/' ? 'The body' : `\`${field.replace(/^\//, '')}\``
  return { ...rejected, message: `${name} ${rule === undefined ? 'was not accepted' : fieldSentence(rule, limit)}` }
}
