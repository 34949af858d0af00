import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { rehashChain } from '../trail/rehash-chain.ts'
import { type Anchor, type AnchoredEntry, anchorKey, readAnchor, writeAnchor } from './anchor-object.ts'
import {
  findLastAnchor,
  findLastPosition,
  lockWriters,
  insertAnchor,
  listByPosition,
  listUnsaltedScopes,
} from './anchor-queries.ts'

type AnchorDeps = Pick<Deps, 'db' | 'now' | 'store' | 'signer'>

/** About 11 MB of text. */
const ENTRIES_MAX = 100_000
const PAGE_ROWS = 5_000
const NO_ANCHOR = { number: 0, through_position: '0', sha256: null }
/** Longer than a consumer's batch. */
const WRITERS_WAIT_MS = 15_000

/**
 * Job. Signs the ids and hashes of all entries since the previous anchor and keeps them in the object store, where a
 * change of the database cannot reach them. Also makes anchors without entries, which prove that there were none.
 */
export async function anchorTrail({ store, ...deps }: AnchorDeps, entriesMax = ENTRIES_MAX): Promise<number> {
  if (store === undefined) return 0
  const through = await settleTrail(deps.db)
  for (let anchors = 1; ; anchors += 1) {
    const { header } = await createAnchor({ ...deps, store }, through, entriesMax)
    if (BigInt(header.through) >= BigInt(through)) return anchors
  }
}

/** The last position below which nothing more can appear. */
async function settleTrail(db: Kysely<Tables>): Promise<string> {
  for (const scope of await listUnsaltedScopes(db)) await db.transaction().execute((trx) => rehashChain(trx, scope))
  return db.transaction().execute(async (trx: Transaction<Tables>) => {
    await lockWriters(trx, WRITERS_WAIT_MS)
    // A process of an earlier release may have added entries in between.
    for (const scope of await listUnsaltedScopes(trx)) await rehashChain(trx, scope)
    return findLastPosition(trx)
  })
}

type Making = Omit<AnchorDeps, 'store'> & { store: NonNullable<Deps['store']> }

async function createAnchor({ db, now, store, signer }: Making, through: string, entriesMax: number): Promise<Anchor> {
  const last = (await findLastAnchor(db)) ?? NO_ANCHOR
  const number = last.number + 1
  const from = last.through_position
  const entries = await readEntries(db, { after: from, through }, entriesMax)
  const isComplete = entries.length < entriesMax
  const { bytes, anchor } = writeAnchor(
    signer,
    {
      number,
      made_at: now().toISOString(),
      from,
      through: isComplete ? through : String(entries.at(-1)?.position),
      previous: last.sha256,
    },
    entries,
  )
  // It exists when a process ended between the two writes, or the database was restored from a backup.
  const isStored = (await store.putIfAbsent(anchorKey(number), bytes)) === 'stored'
  const stored = isStored ? anchor : await readAnchor(store, number, signer.publicKeys)
  if (typeof stored === 'string') throw new Error(`anchor ${number} in the object store is ${stored}`)
  await insertAnchor(db, stored)
  return stored
}

async function readEntries(
  db: Kysely<Tables>,
  { after, through }: { after: string; through: string },
  entriesMax: number,
): Promise<AnchoredEntry[]> {
  const entries: AnchoredEntry[] = []
  let last = after
  while (entries.length < entriesMax) {
    const limit = Math.min(PAGE_ROWS, entriesMax - entries.length)
    const rows = await listByPosition(db, { after: last, through }, limit)
    for (const { position, id, hash } of rows) {
      entries.push({ position: BigInt(position), id, hash: hash.toString('hex') })
    }
    last = rows.at(-1)?.position ?? last
    if (rows.length < limit) break
  }
  return entries
}
