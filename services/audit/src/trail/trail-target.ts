import type { TrailTarget } from '@tapeline/contracts/audit/trail'

type Entry = {
  type: string
  subject: string
  account_id: string | null
  before: unknown
  after: unknown
  details: unknown
}

/** What an entry is about; a key is named as it was at that time, or as it was named last. */
export function trailTarget(entry: Entry, keyNames: ReadonlyMap<string, string>): TrailTarget {
  const { type, subject } = entry
  const said = saidBy(entry)
  if (type.startsWith('api-key.')) {
    return { type: 'api_key', id: subject, name: said('name') ?? keyNames.get(subject) ?? null }
  }
  if (type.startsWith('config.flag-')) {
    return { type: 'feature_flag', id: said('flag_id') ?? subject, name: said('flag_key') ?? said('key') ?? null }
  }
  if (type.startsWith('config.global-config-') || type.startsWith('config.change-refused')) {
    return { type: 'global_config', id: subject, name: said('key') ?? subject }
  }
  if (type.startsWith('config.tiers-')) return { type: 'tiers', id: subject, name: null }
  const sessionId = said('session_id')
  if (type.startsWith('identity.') && sessionId !== undefined) return { type: 'session', id: sessionId, name: null }
  return { type: 'account', id: entry.account_id ?? subject, name: null }
}

/** A text that the event said of it, beside or in its states. */
function saidBy({ before, after, details }: Entry): (field: string) => string | undefined {
  const fields: Record<string, unknown> = { ...recordOf(before), ...recordOf(after), ...recordOf(details) }
  return (field) => {
    const value = fields[field]
    return typeof value === 'string' ? value : undefined
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
