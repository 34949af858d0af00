import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { hashEntry, NO_HASH } from '../trail/hash-entry.ts'
import { listChain, lockHeads, moveHead } from '../trail/trail-queries.ts'
import { allowErasing, blankEntry } from './erasure-queries.ts'

const PAGE_ROWS = 1_000
const NOTHING = { network: null, before: null, after: null, reason: null, details: {} }

/**
 * Removes personal data from every entry of an account's chain and rehashes the chain. Idempotent: entries without
 * personal data keep their hash.
 */
export async function eraseTrail(trx: Transaction<Tables>, scope: string): Promise<void> {
  await allowErasing(trx)
  await lockHeads(trx, [scope], NO_HASH)
  let hash: Buffer = NO_HASH
  let behind = '0'
  for (;;) {
    const rows = await listChain(trx, scope, behind, PAGE_ROWS)
    for (const { position, hash: written, time, ...entry } of rows) {
      hash = hashEntry(hash, { ...entry, ...NOTHING, time: time.toISOString() })
      if (!hash.equals(written)) await blankEntry(trx, entry.id, hash)
      behind = position
    }
    if (rows.length < PAGE_ROWS) break
  }
  await moveHead(trx, scope, hash)
}
