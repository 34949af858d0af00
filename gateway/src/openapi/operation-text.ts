import { isFree, type Route } from '../routing/route.ts'
import type { Operation } from './operation.ts'

const CREDENTIALS: Record<Route['who'], string> = {
  anyone: 'Needs no credential.',
  'anyone or session': 'Needs no credential; a session may be sent.',
  session: 'Needs a session. API keys are rejected.',
  'key or session': 'Needs an API key or a session.',
}
const FLAG = /while (\w+) is on/
const MS_PER_SECOND = 1_000

/** What callers of the operation need: credential, scope, role, plan, limits, timeout and how lists continue. */
export function operationText(
  operation: Operation,
  route: Route,
  { access, serviceScope, isPaged }: { access: string; serviceScope: string | null; isPaged: boolean },
): string {
  const { errors } = operation
  const flag = FLAG.exec(access)?.[1]
  return [
    `${operation.summary}.`,
    credentialText(route, serviceScope),
    access === 'admin' && 'For administrators.',
    access === 'tester' && 'For testers and administrators.',
    flag !== undefined && `Available while the feature flag \`${flag}\` is on.`,
    errors.includes('tier.history_not_included') && 'How far back the data goes depends on the plan.',
    errors.includes('tier.feature_not_included') &&
      'Not every plan includes this call; the problem names the first plan that does.',
    limitsText(route),
    isPaged && 'Returns pages: send `next_cursor` of one page as `cursor` of the next call.',
    route.timeoutMs === null ? 'Has no timeout.' : `Times out after ${route.timeoutMs / MS_PER_SECOND} s.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}

function credentialText({ who, scope }: Route, serviceScope: string | null): string {
  if (serviceScope !== null) return `Needs a session, or a service key with the scope \`${serviceScope}\`.`
  return scope === null ? CREDENTIALS[who] : `Needs an API key with the scope \`${scope}\`, or a session.`
}

function limitsText(route: Route): string | false {
  const { who, isCounted } = route
  if (isFree(route)) return 'Free: requests are not counted.'
  if (who === 'anyone') return 'Throttled by address.'
  if (who === 'anyone or session')
    return 'Throttled by address; with a credential, each request counts toward its limits.'
  if (isCounted) return 'Each request counts toward the limits of the key and the account.'
  return who === 'key or session' && 'Requests with an API key count toward its limits.'
}
