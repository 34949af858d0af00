import type { ServerEvent } from './read-events.ts'

/** Queries that a page has to refetch; `all` means every query. */
export type StaleArea =
  | 'all'
  | 'details'
  | 'notifications'
  | 'api-keys'
  | 'plan'
  | 'pricing'
  | 'requests'
  | 'usage'
  | 'trail'

const BY_TYPE: readonly [beginning: string, concerns: readonly StaleArea[]][] = [
  ['config.flag-changed.', ['details']],
  ['config.flag-flipped.', ['details']],
  ['config.subscription-changed.', ['details', 'plan']],
  ['config.trial-', ['details', 'plan']],
  ['config.tiers-changed.', ['pricing', 'details', 'plan']],
  ['config.settings-changed.', ['details']],
  ['config.global-config-changed.', ['details']],
  ['identity.session', []],
  ['identity.user-signed-in.', []],
  ['identity.', ['details']],
  ['api-key.', ['api-keys']],
]

/** Queries invalidated by an event of the account's stream. */
export function staleAreas({ name, data }: ServerEvent): readonly StaleArea[] {
  switch (name) {
    case 'reset':
      return ['all', 'details']
    case 'notification':
      return ['notifications']
    case 'usage':
      return ['requests', 'usage']
    case 'change': {
      const type = typeOf(data)
      const entry = BY_TYPE.find(([beginning]) => type.startsWith(beginning))
      return [...(entry?.[1] ?? []), 'trail']
    }
    default:
      return []
  }
}

function typeOf(data: unknown): string {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  return typeof type === 'string' ? type : ''
}
