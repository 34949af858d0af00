import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ExplainedWindow, RequestDetail } from '@tapeline/contracts/audit/requests'
import { formatCount } from '../../format/number.ts'
import { i18n } from '../../language/i18n.ts'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'
import { momentOf } from './verdict.ts'

type Explained = Pick<RequestDetail, 'code' | 'time' | 'explanation'>

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
const NO_REASON = msg`the credential opened nothing`

/** Why it was answered as it was: in English as the server says it, in other languages made of the same parts. */
export function explanationWords({ code, time, explanation }: Explained, timeZone: string): string {
  if (i18n.locale === 'en') return explanation.text
  const share = explanation.degraded ? [t`Redis was away, so the gateway decided by its share of the limits.`] : []
  return [...share, ...decisionWords({ code, time, explanation }, timeZone)].join(' ')
}

function decisionWords({ code, time, explanation }: Explained, timeZone: string): string[] {
  const { verdict, windows, key_windows, passes_at } = explanation
  switch (verdict) {
    case 'refused':
      return [
        t`Refused before any limit was looked at: ${i18n._(REFUSALS[code ?? ''] ?? NO_REASON)}.`,
        t`It used nothing of the limits.`,
      ]
    case 'denied':
      return [
        ...windows.filter(({ has_denied }) => has_denied).map((one) => t`Denied by the limit ${fillOf(one)}.`),
        ...key_windows.filter(({ has_denied }) => has_denied).map((one) => t`Denied by this key’s cap ${fillOf(one)}.`),
        passes_at === null
          ? t`One passes as soon as one of the open requests ends.`
          : t`One passes at ${momentOf(passes_at, time, timeZone)}.`,
      ]
    case 'admitted': {
      const tightest = [...windows, ...key_windows].toSorted((one, next) => one.remaining - next.remaining)[0]
      return [
        tightest === undefined
          ? t`Admitted.`
          : t`Admitted: every limit had room, the least of them ${fillOf(tightest)}.`,
      ]
    }
  }
}

function fillOf({ policy, used, limit }: ExplainedWindow): string {
  const name = i18n._(POLICY_NAMES[policy])
  return policy === 'conc'
    ? t`“${name}”: ${formatCount(used)} of ${formatCount(limit)} requests were open`
    : t`“${name}”: ${formatCount(used)} of ${formatCount(limit)} used`
}
