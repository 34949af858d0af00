import type {
  apiKeyCreated,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyRevoked,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import type { NotificationKind } from '@tapeline/contracts/audit/notifications'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Static } from 'typebox'
import type { Occasion } from './raise-notification.ts'

type Of<D> = D extends EventDefinition<infer T> ? Event<Static<T>> : never
type AboutKey = { account_id: string; key_id: string; kid: string; name: string }
type Words = { kind: NotificationKind; title: string; text: string; more?: Record<string, unknown> }

const NOT_YOU = 'If that was not you or yours, revoke it.'

export function keyCreated({ id, data }: Of<typeof apiKeyCreated>): Occasion {
  return occasion(id, data, { kind: 'key_created', title: `API key “${data.name}” was created`, text: NOT_YOU })
}

export function keyRevoked({ id, data }: Of<typeof apiKeyRevoked>): Occasion {
  const text = 'Every request with it is refused from now on.'
  return occasion(id, data, { kind: 'key_revoked', title: `API key “${data.name}” was revoked`, text })
}

export function keyExpiring({ id, data }: Of<typeof apiKeyExpiring>): Occasion {
  const { name, days_left, expires_at } = data
  const when = days_left === 1 ? 'in a day' : `in ${days_left} days`
  return occasion(id, data, {
    kind: 'key_expiring',
    title: `API key “${name}” expires ${when}`,
    text: `It stops working at ${expires_at}. Give it a later expiry, or make a new key.`,
    more: { expires_at, days_left },
  })
}

export function keyExpired({ id, data }: Of<typeof apiKeyExpired>): Occasion {
  const { name, expires_at } = data
  const text = `It has not worked since ${expires_at}.`
  return occasion(id, data, { kind: 'key_expired', title: `API key “${name}” has expired`, text, more: { expires_at } })
}

export function keyUsedFromNewNetwork({ id, data }: Of<typeof apiKeyUsedFromNewNetwork>): Occasion {
  const { name, network } = data
  return occasion(id, data, {
    kind: 'key_used_from_new_network',
    title: `API key “${name}” was used from a new network`,
    text: `Its first request came from ${network}. ${NOT_YOU}`,
    more: { network },
  })
}

/** One event, one occasion. */
function occasion(eventId: string, about: AboutKey, { kind, title, text, more }: Words): Occasion {
  const { account_id: accountId, key_id, kid, name } = about
  return { accountId, kind, scope: `event/${eventId}`, level: 0, title, text, data: { key_id, kid, name, ...more } }
}
