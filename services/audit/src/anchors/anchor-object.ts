import { createHash } from 'node:crypto'
import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import { canonicalJson } from '../evidence/canonical-json.ts'
import { isSigned, type Signature, type Signer } from '../evidence/signatures.ts'

/** An entry as an anchor names it: its place in the trail, its id, its hash in hex. */
export type AnchoredEntry = { position: bigint; id: string; hash: string }

export type AnchorHeader = {
  format: typeof FORMAT
  number: number
  made_at: string
  /** Covers all entries behind `from` up to `through`, by position. */
  from: string
  through: string
  entries: number
  entries_sha256: string
  /** SHA-256 of the previous anchor's bytes; null for the first. */
  previous: string | null
}
export type Anchor = { header: AnchorHeader; signature: Signature; entries: AnchoredEntry[]; sha256: string }

/** Why an anchor cannot be relied upon. */
export type AnchorFault = 'missing' | 'damaged' | 'not signed by a trusted key'

export const FORMAT = 'tapeline-trail-anchor/1'
const PREFIX = 'audit/trail/anchor-'
const NUMBER_DIGITS = 8

export function anchorKey(number: number): string {
  return `${PREFIX}${String(number).padStart(NUMBER_DIGITS, '0')}.ndjson`
}

/** A signed header line, then a line per entry. */
export function writeAnchor(
  signer: Signer,
  header: Omit<AnchorHeader, 'format' | 'entries' | 'entries_sha256'>,
  entries: readonly AnchoredEntry[],
): { bytes: Uint8Array<ArrayBuffer>; anchor: Anchor } {
  const lines = entries.map(({ position, id, hash }) => `["${position}","${id}","${hash}"]\n`).join('')
  const whole: AnchorHeader = { format: FORMAT, ...header, entries: entries.length, entries_sha256: sha256(lines) }
  const signature = signer.sign(whole)
  const bytes = new TextEncoder().encode(`${canonicalJson({ header: whole, signature })}\n${lines}`)
  return { bytes, anchor: { header: whole, signature, entries: [...entries], sha256: sha256(bytes) } }
}

/** Reads and verifies a single anchor; the caller verifies its place in the chain. */
export async function readAnchor(
  store: ObjectStore,
  number: number,
  trusted: readonly string[],
): Promise<Anchor | AnchorFault> {
  const key = anchorKey(number)
  const found = await store.head(key)
  if (found === undefined) return 'missing'
  const bytes = Buffer.from(await store.getRange(key, 0, found.size).catch(whenDeleted))
  if (bytes.length === 0) return 'missing'
  const anchor = parseAnchor(bytes)
  if (anchor === undefined || anchor.header.number !== number) return 'damaged'
  return isSigned(anchor.header, anchor.signature, trusted) ? anchor : 'not signed by a trusted key'
}

function whenDeleted(error: unknown): ArrayBuffer {
  if (error instanceof StoreError && error.failure === 'missing') return new ArrayBuffer(0)
  throw error
}

function parseAnchor(bytes: Buffer): Anchor | undefined {
  const text = bytes.toString()
  const end = text.indexOf('\n') + 1
  const lines = text.slice(end)
  try {
    const { header, signature } = JSON.parse(text.slice(0, end)) as Pick<Anchor, 'header' | 'signature'>
    if (header.format !== FORMAT || header.entries_sha256 !== sha256(lines)) return undefined
    const entries = lines.split('\n').slice(0, -1).map(parseEntry)
    return entries.length === header.entries ? { header, signature, entries, sha256: sha256(bytes) } : undefined
  } catch {
    return undefined
  }
}

function parseEntry(line: string): AnchoredEntry {
  const [position, id, hash] = JSON.parse(line) as [string, string, string]
  return { position: BigInt(position), id, hash }
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
