import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '../evidence/canonical-json.ts'

/** The part of an entry that is erased with its account. */
export type PersonalPart = {
  network: string | null
  before: unknown
  after: unknown
  reason: string | null
  details: unknown
}

export type Entry = PersonalPart & {
  id: string
  scope: string
  time: string
  account_id: string | null
  actor_kind: string
  actor_id: string | null
  type: string
  subject: string
}

/** `salt` and `personal_hash` are null in entries of releases that hashed all fields together; `salt` also when erased. */
export type Hashes = { hash: Buffer; personal_hash: Buffer | null; salt: Buffer | null }
export type HashedEntry = Entry & Hashes

/** Previous hash of the first entry of a chain. */
export const NO_HASH = Buffer.alloc(32)
export const ERASED = { network: null, before: null, after: null, reason: null, details: {} } as const
/** Prevents guessing what an erased entry contained from its hash. */
const SALT_BYTES = 16

/** Hashes for a new entry behind the previous one. */
export function hashNewEntry(previous: Buffer, entry: Entry): Hashes & { personal_hash: Buffer; salt: Buffer } {
  const salt = randomBytes(SALT_BYTES)
  const personalHash = hashPersonalPart(salt, entry)
  return { salt, personal_hash: personalHash, hash: hashWith(previous, entry, personalHash) }
}

/** The hash that an entry as stored must have, or undefined when its personal part is not what was written. */
export function hashStoredEntry(previous: Buffer, { hash: _hash, personal_hash, salt, ...entry }: HashedEntry) {
  if (personal_hash === null) return createHash('sha256').update(previous).update(canonicalJson(entry)).digest()
  const isAsWritten = salt === null ? isErased(entry) : hashPersonalPart(salt, entry).equals(personal_hash)
  return isAsWritten ? hashWith(previous, entry, personal_hash) : undefined
}

/** Whether nothing personal is left in an entry. */
export function isErased({ network, before, after, reason, details }: PersonalPart): boolean {
  return canonicalJson({ network, before, after, reason, details }) === canonicalJson(ERASED)
}

function hashPersonalPart(salt: Buffer, { network, before, after, reason, details }: PersonalPart): Buffer {
  return createHash('sha256').update(salt).update(canonicalJson({ network, before, after, reason, details })).digest()
}

/** The personal part is included by its hash only, so that erasing it leaves the chain as it is. */
function hashWith(previous: Buffer, entry: Entry, personalHash: Buffer): Buffer {
  const { id, scope, time, account_id, actor_kind, actor_id, type, subject } = entry
  const permanent = canonicalJson({ id, scope, time, account_id, actor_kind, actor_id, type, subject })
  return createHash('sha256').update(previous).update(personalHash).update(permanent).digest()
}
