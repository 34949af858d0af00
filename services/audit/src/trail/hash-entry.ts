import { createHash } from 'node:crypto'

/** All hashed fields of an entry. */
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

/** Previous hash of the first entry of a chain. */
export const NO_HASH = Buffer.alloc(32)

/** SHA-256 of the previous hash and all fields of this entry. */
export function hashEntry(previous: Buffer, entry: Entry): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(entry)).digest()
}

/** PostgreSQL does not preserve the order of JSON fields, so they are sorted. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
