import { msg } from '@lingui/core/macro'
import type { ListTrailQuery } from '@tapeline/contracts/audit/trail'

/** In the URL: subject, first and last day (UTC), and whether the trail is the platform's. */
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

const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000

export function readTrailFilter(search: URLSearchParams): TrailFilter {
  const about = search.get('about') ?? ''
  return {
    about: ABOUT.find(({ value }) => value !== '' && value === about)?.value,
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
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
export function queryOfTrail({ about, from, to, isPlatform }: TrailFilter): ListTrailQuery {
  return {
    ...(about === undefined ? {} : { type: about }),
    ...(from === undefined ? {} : { from: `${from}T00:00:00.000Z` }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
    ...(isPlatform ? { account: 'platform' } : {}),
  }
}

function dayOf(text: string | null): string | undefined {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}
