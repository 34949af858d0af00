import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ExplainedWindow, RequestDetail } from '@tapeline/contracts/audit/requests'
import type { Policy, ShadowVerdict } from '@tapeline/contracts/usage/events'
import { fieldWords } from '../../api/problem-words.ts'
import { i18n } from '../../language/i18n.ts'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'
import { answerWords } from './answer-words.ts'
import { formatWait } from './format-wait.ts'
import { limitWords } from './limit-words.ts'
import { momentOf } from './verdict.ts'

type Explained = Pick<RequestDetail, 'code' | 'time' | 'status' | 'explanation'>

const REFUSALS: Readonly<Record<string, MessageDescriptor>> = {
  'api_key.inactive': msg`this API key was not active`,
  'api_key.expired': msg`this API key had expired`,
  'api_key.revoked': msg`this API key had been revoked`,
  'api_key.replaced': msg`this secret of the API key had been replaced`,
  'api_key.scope_missing': msg`this API key lacked the scope for the call`,
  'api_key.address_not_allowed': msg`this API key is not allowed from the address of the caller`,
  'credential.invalid': msg`the API key had been deleted, or its account was not active`,
  'request.forbidden': msg`an API key cannot be used for this call`,
  'session.ended': msg`the session had ended`,
}
const NO_REASON = msg`the credential gives no access to this call`

/** Explains an answer; does not repeat the heading from `verdictOf`. */
export function explanationWords(request: Explained, timeZone: string): string {
  const { verdict, degraded } = request.explanation
  const share = degraded ? [t`Redis was unavailable, so the gateway applied its share of the limits.`] : []
  const words = { refused: refusedWords, denied: deniedWords, admitted: admittedWords }[verdict]
  return [...share, ...words(request, timeZone)].join(' ')
}

function refusedWords({ code }: Explained): string[] {
  const reason = i18n._(REFUSALS[code ?? ''] ?? NO_REASON)
  return [t`Reason: ${reason}.`, t`It did not count against any limit.`]
}

function deniedWords({ time, explanation }: Explained, timeZone: string): string[] {
  const { windows, key_windows, passes_at } = explanation
  const ofAccount = windows.filter(({ has_denied }) => has_denied)
  const ofKey = key_windows.filter(({ has_denied }) => has_denied)
  const isInHeading = (one: ExplainedWindow): boolean => one === (ofAccount[0] ?? ofKey[0])
  return [
    ...ofAccount.filter((one) => !isInHeading(one)).map((one) => t`Also rejected: ${limitWords(one)}.`),
    ...ofKey
      .filter((one) => !isInHeading(one))
      .map((one) => t`Also rejected by this key’s own limit: ${limitWords(one)}.`),
    ...nextWords([...ofAccount, ...ofKey], passes_at === null ? undefined : momentOf(passes_at, time, timeZone)),
  ]
}

function nextWords(denials: readonly ExplainedWindow[], moment: string | undefined): string[] {
  if (moment !== undefined) return [t`The next request was possible at ${moment}.`]
  return denials.some(({ policy }) => policy === 'conc') ? [t`The next request is possible when an open one ends.`] : []
}

function admittedWords({ code, status, explanation }: Explained): string[] {
  const rejected = explanation.rejected_fields.filter(({ rule }) => rule !== undefined)
  const reason = rejected.map(fieldReason).join('; ')
  if (rejected.length > 0) return [t`Reason: ${reason}.`]
  const meaning = status < 400 ? undefined : answerWords(code)
  if (meaning !== undefined) return [meaning]
  const tightest = [...explanation.windows, ...explanation.key_windows].toSorted((a, b) => room(a) - room(b))[0]
  return [tightest === undefined ? t`Allowed.` : t`Allowed. Tightest limit: ${limitWords(tightest)}.`]
}

type RejectedField = RequestDetail['explanation']['rejected_fields'][number]

function fieldReason({ message, ...rejected }: RejectedField): string {
  const field = rejected.field === '/' ? '/' : `\`${rejected.field.replace(/^\//, '')}\``
  return fieldWords({ ...rejected, field }) ?? message
}

/** The remaining proportion: 1 of 20 left is tighter than 3 of 5. */
function room({ remaining, limit }: ExplainedWindow): number {
  return limit === 0 ? 0 : remaining / limit
}

/** What the tier's shadow limits decided; only admins receive it. */
export function tierShadowWords(deniedBy: readonly Policy[], waitMs: number | undefined): string {
  if (deniedBy.length === 0) return t`The shadow limits of the tier would have allowed it.`
  return sentences(t`The shadow limits of the tier would have rejected it: ${namesOf(deniedBy)}.`, waitMs)
}

/** Verdict of the shadow limits of the key. */
export function keyShadowWords({ denied_by: deniedBy, retry_after_ms: waitMs }: ShadowVerdict): string {
  if (deniedBy.length === 0) return t`The shadow limits of the key would have allowed it.`
  return sentences(t`The shadow limits of the key would have rejected it: ${namesOf(deniedBy)}.`, waitMs)
}

function namesOf(policies: readonly Policy[]): string {
  return policies.map((policy) => i18n._(POLICY_NAMES[policy]).toLowerCase()).join(', ')
}

/** With the waiting time, if one is known: rejected by concurrency alone has none. */
function sentences(verdict: string, waitMs: number | undefined): string {
  return waitMs === undefined || waitMs === 0
    ? verdict
    : `${verdict} ${t`The wait would have been ${formatWait(waitMs)}.`}`
}
