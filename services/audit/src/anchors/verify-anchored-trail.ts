import type { TrailFault, TrailIntegrity } from '@tapeline/contracts/audit/trail-check'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { hashStoredEntry, NO_HASH } from '../trail/hash-entry.ts'
import { findPositionOf, listByPosition, listHeads } from './anchor-queries.ts'
import type { AnchoredEntry } from './anchor-object.ts'
import { type AnchorReader, openAnchors, type Trail } from './read-anchors.ts'

type Row = Awaited<ReturnType<typeof listByPosition>>[number]

const PAGE_ROWS = 2_000
const ACCOUNT_DELETED = 'identity.account-deleted.v1'

/**
 * Verifies every entry of the trail in order: its own hash, its place behind the previous entry of its chain, and the
 * anchors. Ends at the first fault.
 */
export async function verifyAnchoredTrail(trail: Trail): Promise<TrailIntegrity> {
  const anchors = await openAnchors(trail)
  const walk = {
    hashes: new Map<string, Buffer>(),
    erased: new Map<string, Row>(),
    deleted: new Set<string>(),
    rows: 0,
  }
  const fault =
    (await walkTrail(trail.db, anchors, walk)) ??
    (await findMissingTail(trail.db, walk.hashes)) ??
    findErased(walk) ??
    anchorFault(anchors) ??
    null
  return { ...anchors.summary(), isRight: fault === null, entries: walk.rows, chains: walk.hashes.size, fault }
}

type Walk = { hashes: Map<string, Buffer>; erased: Map<string, Row>; deleted: Set<string>; rows: number }

async function walkTrail(db: Kysely<Tables>, anchors: AnchorReader, walk: Walk): Promise<TrailFault | undefined> {
  let after = '0'
  for (;;) {
    const rows = await listByPosition(db, { after }, PAGE_ROWS)
    for (const row of rows) {
      const expected = await anchors.peek()
      const isAnchored = expected !== undefined || BigInt(row.position) <= anchors.through()
      const fault = isAnchored ? await compare(db, expected, row) : undefined
      const own = fault ?? verifyEntry(walk, row, isAnchored)
      if (own !== undefined) return own
      if (isAnchored) anchors.advance()
      after = row.position
    }
    if (rows.length < PAGE_ROWS) break
  }
  const expected = await anchors.peek()
  return expected === undefined ? undefined : missing(db, expected, { isLast: true })
}

/** The next anchored entry and the next row must be the same. */
async function compare(
  db: Kysely<Tables>,
  expected: AnchoredEntry | undefined,
  row: Row,
): Promise<TrailFault | undefined> {
  const position = BigInt(row.position)
  if (expected === undefined || position < expected.position) {
    return faultOf('added', row, 'was added after its anchor was made')
  }
  if (position > expected.position || row.id !== expected.id) return missing(db, expected, { isLast: false })
  if (row.hash.toString('hex') === expected.hash) return undefined
  return faultOf('altered', row, 'has another hash than its anchor')
}

async function missing(db: Kysely<Tables>, { id, position }: AnchoredEntry, { isLast }: { isLast: boolean }) {
  const now = await findPositionOf(db, id)
  const entry = { id, position: String(position), scope: null }
  if (now !== undefined) return faultOf('reordered', entry, `was moved to position ${now}`)
  return isLast
    ? faultOf('truncated', entry, 'and all anchored entries behind it were removed')
    : faultOf('removed', entry, 'was removed')
}

function verifyEntry(walk: Walk, row: Row, isAnchored: boolean): TrailFault | undefined {
  walk.rows += 1
  const { position: _position, time, ...entry } = row
  const previous = walk.hashes.get(row.scope) ?? NO_HASH
  const expected = hashStoredEntry(previous, { ...entry, time: time.toISOString() })
  walk.hashes.set(row.scope, row.hash)
  if (row.type === ACCOUNT_DELETED) walk.deleted.add(row.scope)
  if (row.salt === null && row.personal_hash !== null && !walk.erased.has(row.scope)) walk.erased.set(row.scope, row)
  if (expected?.equals(row.hash) === true) return undefined
  return isAnchored
    ? faultOf('altered', row, 'is not what was written')
    : faultOf('unchained', row, 'was altered, or the entry before it in its chain is missing')
}

/** Finds missing entries after the last anchor: the head of each chain has the hash of its last entry. */
async function findMissingTail(db: Kysely<Tables>, hashes: ReadonlyMap<string, Buffer>) {
  for (const [scope, head] of await listHeads(db)) {
    if (head.equals(hashes.get(scope) ?? NO_HASH)) continue
    return faultOf('truncated', { id: null, position: null, scope }, 'is missing: the newest of its chain')
  }
  return undefined
}

function findErased({ erased, deleted }: Walk): TrailFault | undefined {
  for (const [scope, row] of erased) {
    if (!deleted.has(scope)) return faultOf('erased', row, 'was erased although its account was not deleted')
  }
  return undefined
}

function anchorFault(anchors: AnchorReader): TrailFault | undefined {
  const text = anchors.fault()
  return text === undefined ? undefined : { kind: 'anchor', entry: null, position: null, scope: null, text }
}

type Named = { id: string | null; position: string | null; scope: string | null }

function faultOf(kind: TrailFault['kind'], { id, position, scope }: Named, what: string): TrailFault {
  const place = position === null ? '' : ` at position ${position}`
  const chain = scope === null ? '' : ` of ${scope === '*' ? 'the platform' : `account ${scope}`}`
  return { kind, entry: id, position, scope, text: `entry${id === null ? '' : ` ${id}`}${place}${chain} ${what}` }
}
