import { msg } from '@lingui/core/macro'
import type { ListTrailQuery } from '@tapeline/contracts/audit/trail'
import { addDays, parseDay } from '../../format/day.ts'
import { momentOf } from '../../format/zoned-time.ts'

/** In the URL: subject, first and last day (of the account's time zone, as the times in the table), and whether the trail is the platform's. */
export type TrailFilter = {
  about: string | undefined
  from: string | undefined
  to: string | undefined
  isPlatform: boolean
}

export const ABOUT = [
  { value: '', label: msg`Everything` },
  { value: 'api-key', label: msg`API keys` },
  { value: 'identity.user-signed-in', label: msg`Sign-ins` },
  { value: 'identity.session', label: msg`Sessions ended` },
  { value: 'identity', label: msg`Account` },
  { value: 'config.subscription-changed', label: msg`Plan and limits` },
  { value: 'config.settings-changed', label: msg`Settings` },
  { value: 'config', label: msg`Plan, flags and settings` },
] as const

export function readTrailFilter(search: URLSearchParams): TrailFilter {
  const about = search.get('about') ?? ''
  return {
    about: ABOUT.find(({ value }) => value !== '' && value === about)?.value,
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
    isPlatform: search.get('of') === 'platform',
  }
}

export function writeTrailFilter({ about, from, to, isPlatform }: TrailFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (about !== undefined) search.set('about', about)
  if (from !== undefined) search.set('from', from)
  if (to !== undefined) search.set('to', to)
  if (isPlatform) search.set('of', 'platform')
  return search
}

/** The last day is inclusive here; the end of the call is exclusive. */
export function queryOfTrail({ about, from, to, isPlatform }: TrailFilter, timeZone: string): ListTrailQuery {
  const start = from && startOf(from, timeZone)
  const end = to && startOf(addDays(to, 1), timeZone)
  return {
    ...(about === undefined ? {} : { type: about }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
    ...(isPlatform ? { account: 'platform' } : {}),
  }
}

function startOf(day: string, timeZone: string): string | undefined {
  return momentOf(`${day}T00:00`, timeZone)
}
