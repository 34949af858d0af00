import { t } from '@lingui/core/macro'
import { formatClock, formatDate, formatDateTime } from '../../format/date.ts'
import { formatWait } from './format-wait.ts'
import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import type { StateTone } from '../../ui/StateBadge.tsx'
import { limitWords } from './limit-words.ts'

type Decided = Pick<RequestDetail, 'status' | 'outcome' | 'latency' | 'explanation'>

/** The decision in a heading. */
export function verdictOf(request: Decided): string {
  switch (request.explanation.verdict) {
    case 'refused':
      return t`Rejected before any limit was checked`
    case 'denied':
      return denialOf(request.explanation)
    case 'admitted':
      return answerOf(request)
  }
}

function denialOf({ windows, key_windows }: Decided['explanation']): string {
  const account = windows.find(({ has_denied }) => has_denied)
  if (account !== undefined) return t`Rejected: ${limitWords(account)}`
  const own = key_windows.find(({ has_denied }) => has_denied)
  return own === undefined ? t`Rejected by a limit` : t`Rejected by this key’s own limit: ${limitWords(own)}`
}

function answerOf({ status, outcome, latency }: Decided): string {
  if (outcome === 'aborted') return t`Allowed; the client disconnected before the response was complete`
  if (status < 400) return t`Allowed and served`
  return latency.upstream_ms === null
    ? t`Allowed by every limit; the gateway returned ${status}`
    : t`Allowed by every limit; the service returned ${status}`
}

/** By outcome, because a denied request is a client error by its status alone. */
export function toneOf({ status, outcome }: Pick<RequestDetail, 'status' | 'outcome'>): StateTone {
  switch (outcome) {
    case 'ok':
      return 'ok'
    case 'denied':
      return 'warn'
    case 'server_error':
      return 'bad'
    case 'client_error':
      return 'client'
    case 'aborted':
      return status >= 500 ? 'bad' : 'off'
  }
}

/** "1.284 s", "12 min": how long after the request; undefined where the limiter named no time. */
export function waitUntil(time: string, at: string | null): string | undefined {
  if (at === null) return undefined
  return formatWait(Math.max(0, Date.parse(at) - Date.parse(time)))
}

/** The day is shown only if it differs. */
export function momentOf(at: string, time: string, timeZone: string): string {
  const isSameDay = formatDate(at, timeZone) === formatDate(time, timeZone)
  return isSameDay ? formatClock(at, timeZone) : formatDateTime(at, timeZone)
}
