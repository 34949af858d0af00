import type { TrailIntegrity } from '@tapeline/contracts/audit/trail-check'
import type { ObjectStore } from '@tapeline/objects/object-store'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { type Anchor, type AnchoredEntry, type AnchorFault, readAnchor } from './anchor-object.ts'
import { findLastAnchor } from './anchor-queries.ts'

export type Trail = {
  /** A snapshot: the trail must not change while it is verified. */
  db: Kysely<Tables>
  store: ObjectStore | undefined
  /** Whose signatures are trusted. */
  publicKeys: readonly string[]
  /** When the snapshot was taken. */
  startedAt: Date
}

export type AnchorReader = {
  /** The next anchored entry; undefined behind the last. */
  peek: () => Promise<AnchoredEntry | undefined>
  advance: () => void
  /** Last position covered by the anchors read so far. */
  through: () => bigint
  /** Why reading ended before the last anchor. */
  fault: () => string | undefined
  /** Anchors read so far, their entries, and when the last was made. */
  summary: () => Pick<TrailIntegrity, 'anchors' | 'anchored_entries' | 'anchored_at'>
}

/** An anchor that the database does not name yet may be in the middle of being made. */
const NEW_MS = 60_000

/** Reads the anchors one by one, and ends at one that is missing, damaged or not the successor of the previous one. */
export async function openAnchors({ db, store, publicKeys, startedAt }: Trail): Promise<AnchorReader> {
  const lastNumber = (await findLastAnchor(db))?.number ?? 0
  let current: Anchor | undefined
  let at = 0
  let passed = 0
  let hasEnded = store === undefined
  let fault: string | undefined

  async function readNext(): Promise<void> {
    if (store === undefined) return
    const number = (current?.header.number ?? 0) + 1
    const isKnown = number <= lastNumber
    const next = successorOf(current, await readAnchor(store, number, publicKeys))
    if (typeof next === 'string') {
      if (next !== 'missing' || isKnown) fault = `anchor ${number} is ${next}`
      hasEnded = true
    } else if (!isKnown && isNew(next, startedAt)) hasEnded = true
    else {
      current = next
      at = 0
    }
  }

  return {
    async peek() {
      while (!hasEnded && at >= (current?.entries.length ?? 0)) await readNext()
      return current?.entries[at]
    },
    advance() {
      at += 1
      passed += 1
    },
    through: () => BigInt(current?.header.through ?? 0),
    fault: () => fault,
    summary: () => ({
      anchors: current?.header.number ?? 0,
      anchored_entries: passed,
      anchored_at: current?.header.made_at ?? null,
    }),
  }
}

/** The anchor, or why it cannot follow the last one. */
function successorOf(last: Anchor | undefined, anchor: Anchor | AnchorFault): Anchor | string {
  if (typeof anchor === 'string') return anchor
  const { previous, from } = anchor.header
  const isNext = previous === (last?.sha256 ?? null) && from === (last?.header.through ?? '0')
  return isNext ? anchor : 'not the successor of the one before it'
}

function isNew({ header }: Anchor, startedAt: Date): boolean {
  return Date.parse(header.made_at) > startedAt.getTime() - NEW_MS
}
