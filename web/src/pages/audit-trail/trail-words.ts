const VERSION = /\.v\d+$/

/** What happened, by the type of its event without the version. */
const WORDS: Readonly<Record<string, string>> = {
  'api-key.created': 'API key created',
  'api-key.updated': 'API key changed',
  'api-key.changed': 'API key changed',
  'api-key.revoked': 'API key revoked',
  'api-key.deleted': 'API key deleted',
  'api-key.regenerated': 'API key regenerated',
  'api-key.expired': 'API key expired',
  'api-key.expiring': 'API key expires soon',
  'identity.user-signed-up': 'Signed up',
  'identity.user-signed-in': 'Signed in',
  'identity.session-ended': 'Session ended',
  'identity.sessions-ended': 'Sessions ended',
  'identity.role-changed': 'Role changed',
  'identity.status-changed': 'Status changed',
  'identity.profile-changed': 'Profile changed',
  'identity.password-changed': 'Password changed',
  'identity.email-verified': 'Email verified',
  'identity.email-changed': 'Email changed',
  'identity.account-deletion-requested': 'Account deletion requested',
  'identity.account-deletion-cancelled': 'Account deletion cancelled',
  'identity.account-deleted': 'Account deleted',
  'identity.account-export-requested': 'Data export requested',
  'identity.account-export-opened': 'Data export downloaded',
  'identity.provider-linked': 'Google connected',
  'identity.provider-unlinked': 'Google disconnected',
  'identity.push-subscribed': 'Push notifications on',
  'identity.push-unsubscribed': 'Push notifications off',
  'config.subscription-changed': 'Plan or limits changed',
  'config.trial-started': 'Trial started',
  'config.trial-ending': 'Trial ends soon',
  'config.trial-ended': 'Trial ended',
  'config.tiers-changed': 'Plans changed',
  'config.settings-changed': 'Settings changed',
  'config.invoice-issued': 'Invoice issued',
  'config.flag-changed': 'Feature flag changed',
  'config.global-config-changed': 'Global configuration changed',
  'config.change-refused': 'Change refused',
}

/** An event that has no words yet says its own name in words. */
export function wordsOf(type: string): string {
  const name = type.replace(VERSION, '')
  const known = WORDS[name]
  if (known !== undefined) return known
  const words = name.slice(name.indexOf('.') + 1).replaceAll(/[-.]/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export type Change = { field: string; before: string; after: string }

/** Fields that differ between before and after, each as text. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return fields
    .map((field) => ({ field, before: textOf(was[field]), after: textOf(is[field]) }))
    .filter((change) => change.before !== change.after)
}

/** A bare value is a change without a field's name. */
function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { '': value }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'string' ? value || 'empty' : JSON.stringify(value)
}
