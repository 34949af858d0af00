import type { ExplainedWindow, RequestDetail } from '@tapeline/contracts/audit/requests'
import type { StateTone } from '../../ui/StateBadge.tsx'

type Decided = Pick<RequestDetail, 'status' | 'outcome' | 'explanation'>

const FULL: Record<ExplainedWindow['policy'], string> = {
  burst: 'the second was full',
  min: 'the minute was full',
  hour: 'the hour was full',
  day: 'the day was full',
  month: 'the month is used up',
  conc: 'too many at once',
}

/** The decision in a heading. */
export function verdictOf({ status, outcome, explanation }: Decided): string {
  const { verdict, windows, key_windows } = explanation
  if (verdict === 'refused') return 'Refused before any limit was looked at'
  if (verdict === 'denied') {
    const account = windows.find(({ has_denied }) => has_denied)
    const own = key_windows.find(({ has_denied }) => has_denied)
    if (account !== undefined) return `Refused: ${FULL[account.policy]}`
    return own === undefined ? 'Refused by a limit' : `Refused by the key's own cap: ${FULL[own.policy]}`
  }
  if (outcome === 'aborted') return 'Let in, then the client went away'
  return status < 400 ? 'Let in and served' : `Let in, then answered ${status}`
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
  if (ms < 120_000) return `${Number((ms / 1_000).toFixed(3))} s`
  if (ms < 3_600_000) return `${Math.ceil(ms / 60_000)} min`
  if (ms < 172_800_000) return `${Number((ms / 3_600_000).toFixed(1))} h`
  return `${Number((ms / 86_400_000).toFixed(1))} days`
}
