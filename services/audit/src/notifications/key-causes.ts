import type {
  apiKeyCreated,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyLeaked,
  apiKeyRevoked,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Static } from 'typebox'
import type { NotificationCause } from './raise-notification.ts'

type Of<D> = D extends EventDefinition<infer T> ? Event<Static<T>> : never
type Key = { key_id: string; kid: string; name: string }
type KeyEvent = { id: string; data: { account_id: string } }

const NOT_YOU = "If you don't recognize this, revoke the key."

export function keyCreated(event: Of<typeof apiKeyCreated>): NotificationCause {
  const { name } = event.data
  const about = { kind: 'key_created' as const, data: keyOf(event.data) }
  return causeOf(event, { about, title: `API key “${name}” was created`, text: NOT_YOU })
}

export function keyRevoked(event: Of<typeof apiKeyRevoked>): NotificationCause {
  const { name } = event.data
  const about = { kind: 'key_revoked' as const, data: keyOf(event.data) }
  const text = 'Requests with this key are rejected from now on.'
  return causeOf(event, { about, title: `API key “${name}” was revoked`, text })
}

export function keyExpiring(event: Of<typeof apiKeyExpiring>): NotificationCause {
  const { name, days_left, expires_at } = event.data
  const when = days_left === 1 ? 'in a day' : `in ${days_left} days`
  return causeOf(event, {
    about: { kind: 'key_expiring', data: { ...keyOf(event.data), expires_at, days_left } },
    title: `API key “${name}” expires ${when}`,
    text: `It expires at ${expires_at}. Extend it, or create a new key.`,
  })
}

export function keyExpired(event: Of<typeof apiKeyExpired>): NotificationCause {
  const { name, expires_at } = event.data
  const about = { kind: 'key_expired' as const, data: { ...keyOf(event.data), expires_at } }
  const text = `It stopped working at ${expires_at}.`
  return causeOf(event, { about, title: `API key “${name}” has expired`, text })
}

export function keyLeaked(event: Of<typeof apiKeyLeaked>): NotificationCause {
  const { name, outcome } = event.data
  const about = { kind: 'key_leaked' as const, data: { ...keyOf(event.data), outcome } }
  const texts = {
    revoked: 'The full key was reported as public and was revoked. Create a new key.',
    old_secret_ended:
      'Its replaced secret was reported as public and is no longer accepted. The new secret still works.',
    warned: 'The full key was reported as public. Regenerate or revoke it now.',
  }
  return causeOf(event, { about, title: `API key “${name}” has leaked`, text: texts[outcome] })
}

export function keyUsedFromNewNetwork(event: Of<typeof apiKeyUsedFromNewNetwork>): NotificationCause {
  const { name, network } = event.data
  return causeOf(event, {
    about: { kind: 'key_used_from_new_network', data: { ...keyOf(event.data), network } },
    title: `API key “${name}” was used from a new network`,
    text: `Its first request came from ${network}. ${NOT_YOU}`,
  })
}

function keyOf({ key_id, kid, name }: Key): Key {
  return { key_id, kid, name }
}

/** Each event is a cause of its own. */
function causeOf(
  { id, data }: KeyEvent,
  words: Pick<NotificationCause, 'about' | 'title' | 'text'>,
): NotificationCause {
  return { ...words, accountId: data.account_id, scope: `event/${id}`, level: 0 }
}
