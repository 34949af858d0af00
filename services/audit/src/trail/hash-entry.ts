import { createHash } from 'node:crypto'

/** Everything that an entry says. */
export type Entry = {
  id: string
  scope: string
  time: string
  account_id: string | null
  actor_kind: string
  actor_id: string | null
  network: string | null
  type: string
  subject: string
  before: unknown
  after: unknown
  reason: string | null
  details: unknown
}
export type HashedEntry = Entry & { hash: Buffer }

/** What stands before the first entry of a chain. */
export const NO_HASH = Buffer.alloc(32)

/** SHA-256 over the hash of the entry before and all that this one says. */
export function hashEntry(previous: Buffer, entry: Entry): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(entry)).digest()
}

/** PostgreSQL keeps JSON without the order of its fields: here they have one. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
