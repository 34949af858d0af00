import type { TrailTarget } from '@tapeline/contracts/audit/trail'

type Entry = {
  type: string
  subject: string
  account_id: string | null
  before: unknown
  after: unknown
  details: unknown
}

type ReadField = (field: string) => string | undefined
type Kind = { prefix: string; type: TrailTarget['type']; idField?: string; nameFields: readonly string[] }

const KINDS: readonly Kind[] = [
  { prefix: 'api-key.leak-policy-', type: 'account', nameFields: [] },
  { prefix: 'api-key.', type: 'api_key', nameFields: ['name'] },
  { prefix: 'config.flag-', type: 'feature_flag', idField: 'flag_id', nameFields: ['flag_key', 'key'] },
  { prefix: 'config.global-config-', type: 'global_config', nameFields: ['key'] },
  { prefix: 'config.change-refused', type: 'global_config', nameFields: ['key'] },
  { prefix: 'audit.webhook-', type: 'webhook', nameFields: ['name'] },
  { prefix: 'audit.alert-', type: 'alert', nameFields: ['name'] },
  { prefix: 'audit.report-', type: 'report', nameFields: ['name'] },
  { prefix: 'config.tiers-', type: 'tiers', nameFields: [] },
  { prefix: 'market-data.venue-', type: 'venue', nameFields: ['venue'] },
]

/** The target of an entry; a key has the name in the event, otherwise its latest known name. */
export function trailTarget(entry: Entry, keyNames: ReadonlyMap<string, string>): TrailTarget {
  const { type, subject } = entry
  const readField = fieldReader(entry)
  const kind = KINDS.find(({ prefix }) => type.startsWith(prefix))
  if (kind === undefined) return ofAccount(entry, readField)
  const id = readField(kind.idField ?? '') ?? subject
  const name = kind.nameFields.map(readField).find((one) => one !== undefined)
  return { type: kind.type, id, name: name ?? keyNames.get(subject) ?? null }
}

function ofAccount({ type, subject, account_id }: Entry, readField: ReadField): TrailTarget {
  const sessionId = type.startsWith('identity.') ? readField('session_id') : undefined
  if (sessionId !== undefined) return { type: 'session', id: sessionId, name: null }
  return { type: 'account', id: account_id ?? subject, name: null }
}

/** A text field of the event, from its data or its states. */
function fieldReader({ before, after, details }: Entry): ReadField {
  const fields: Record<string, unknown> = { ...recordOf(before), ...recordOf(after), ...recordOf(details) }
  return (field) => {
    const value = fields[field]
    return typeof value === 'string' ? value : undefined
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
