import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { TrailEntry } from '@tapeline/contracts/audit/trail'
import { i18n } from '../../language/i18n.ts'

const VERSION = /\.v\d+$/

/** The action in words, by event type without version. */
const WORDS: Readonly<Record<string, MessageDescriptor>> = {
  'api-key.created': msg`API key created`,
  'api-key.updated': msg`API key changed`,
  'api-key.changed': msg`API key changed`,
  'api-key.revoked': msg`API key revoked`,
  'api-key.deleted': msg`API key deleted`,
  'api-key.regenerated': msg`API key regenerated`,
  'api-key.expired': msg`API key expired`,
  'api-key.expiring': msg`API key expires soon`,
  'api-key.used-from-new-network': msg`API key used from a new network`,
  'api-key.leaked': msg`API key reported as leaked`,
  'api-key.leak-policy-changed': msg`Leaked-key policy changed`,
  'identity.user-signed-up': msg`Signed up`,
  'identity.user-signed-in': msg`Signed in`,
  'identity.device-login-approved': msg`Sign-in of a program approved`,
  'identity.device-login-denied': msg`Sign-in of a program denied`,
  'identity.session-ended': msg`Session ended`,
  'identity.sessions-ended': msg`Sessions ended`,
  'identity.role-changed': msg`Role changed`,
  'identity.status-changed': msg`Status changed`,
  'identity.profile-changed': msg`Profile changed`,
  'identity.password-changed': msg`Password changed`,
  'identity.email-verified': msg`Email verified`,
  'identity.email-changed': msg`Email changed`,
  'identity.account-deletion-requested': msg`Account deletion requested`,
  'identity.account-deletion-cancelled': msg`Account deletion cancelled`,
  'identity.account-deleted': msg`Account deleted`,
  'identity.account-export-requested': msg`Data export requested`,
  'identity.account-export-opened': msg`Data export downloaded`,
  'identity.provider-linked': msg`Google connected`,
  'identity.provider-unlinked': msg`Google disconnected`,
  'identity.push-subscribed': msg`Push notifications on`,
  'identity.push-unsubscribed': msg`Push notifications off`,
  'config.subscription-changed': msg`Plan or limits changed`,
  'config.trial-started': msg`Trial started`,
  'config.trial-ending': msg`Trial ends soon`,
  'config.trial-ended': msg`Trial ended`,
  'config.tiers-changed': msg`Plans changed`,
  'config.settings-changed': msg`Settings changed`,
  'config.invoice-issued': msg`Invoice issued`,
  'config.flag-changed': msg`Feature flag changed`,
  'config.global-config-changed': msg`Global configuration changed`,
  'audit.webhook-created': msg`Webhook endpoint created`,
  'audit.webhook-updated': msg`Webhook endpoint changed`,
  'audit.webhook-secret-rotated': msg`Webhook secret replaced`,
  'audit.webhook-disabled': msg`Webhook endpoint disabled`,
  'audit.webhook-deleted': msg`Webhook endpoint deleted`,
  'audit.alert-created': msg`Alert created`,
  'audit.alert-updated': msg`Alert changed`,
  'audit.alert-deleted': msg`Alert deleted`,
  'audit.report-created': msg`Report created`,
  'audit.report-updated': msg`Report changed`,
  'audit.report-deleted': msg`Report deleted`,
  'market-data.venue-changed': msg`Venue connections changed`,
  'config.change-refused': msg`Change rejected`,
}

/** A type without a text is shown as its own name with spaces. */
export function wordsOf(type: string): string {
  const name = type.replace(VERSION, '')
  const label = WORDS[name]
  if (label !== undefined) return i18n._(label)
  const words = name.slice(name.indexOf('.') + 1).replaceAll(/[-.]/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Types whose actor is the owner of the account although no session existed yet. */
const OWNER_BEFORE_SESSION = new Set(['identity.user-signed-up', 'identity.user-signed-in'])

/** The actor. Entries of an account name only its owner, its service keys, admins and the platform. */
export function actorWords(
  { type, actor: { kind, id, name } }: Pick<TrailEntry, 'type' | 'actor'>,
  userId: string,
): string {
  if (id === userId || OWNER_BEFORE_SESSION.has(type.replace(VERSION, ''))) return t`you`
  if (kind === 'user' || kind === 'admin') return t`an admin`
  if (kind === 'api_key') return name === undefined ? t`a service key` : t`service key ${name}`
  if (kind === 'anonymous') return t`an emailed link`
  return id === 'operator' ? t`an operator` : t`the platform`
}
