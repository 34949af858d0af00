import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '../../language/i18n.ts'
import { formatClock, formatDate, formatDateTime } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import type { ExplainedWindow, RequestDetail } from '@tapeline/contracts/audit/requests'
import type { StateTone } from '../../ui/StateBadge.tsx'

type Decided = Pick<RequestDetail, 'status' | 'outcome' | 'explanation'>

const FULL: Record<ExplainedWindow['policy'], MessageDescriptor> = {
  burst: msg`the second was full`,
  min: msg`the minute was full`,
  hour: msg`the hour was full`,
  day: msg`the day was full`,
  month: msg`the month is used up`,
  conc: msg`too many at once`,
}

/** The decision in a heading. */
export function verdictOf({ status, outcome, explanation }: Decided): string {
  const { verdict, windows, key_windows } = explanation
  if (verdict === 'refused') return t`Refused before any limit was looked at`
  if (verdict === 'denied') {
    const account = windows.find(({ has_denied }) => has_denied)
    const own = key_windows.find(({ has_denied }) => has_denied)
    if (account !== undefined) return t`Refused: ${i18n._(FULL[account.policy])}`
    return own === undefined ? t`Refused by a limit` : t`Refused by the key's own cap: ${i18n._(FULL[own.policy])}`
  }
  if (outcome === 'aborted') return t`Let in, then the client went away`
  return status < 400 ? t`Let in and served` : t`Let in, then answered ${status}`
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
  const ms = Math.max(0, Date.parse(at) - Date.parse(time))
  if (ms < 120_000) return `${formatNumber(ms / 1_000, 3)} s`
  if (ms < 3_600_000) return `${Math.ceil(ms / 60_000)} min`
  if (ms < 172_800_000) return `${formatNumber(ms / 3_600_000, 1)} h`
  return plural(Number((ms / 86_400_000).toFixed(1)), { one: '# day', other: '# days' })
}

/** The day is said only where it is another one. */
export function momentOf(at: string, time: string, timeZone: string): string {
  const isSameDay = formatDate(at, timeZone) === formatDate(time, timeZone)
  return isSameDay ? formatClock(at, timeZone) : formatDateTime(at, timeZone)
}
