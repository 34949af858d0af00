import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { allowErasing } from '../erasure/erasure-queries.ts'
import { hashNewEntry, NO_HASH } from './hash-entry.ts'
import { listChain, lockHeads, moveHead, replaceHashes } from './trail-queries.ts'
import { verifyTrail } from './verify-trail.ts'

const PAGE_ROWS = 1_000

/**
 * Hashes a chain again from the first entry of a release that hashed all fields together, so that its personal part
 * can be erased later. Such entries are in no anchor yet. A broken chain stays as it is, for verify-audit to name the
 * entry.
 */
export async function rehashChain(trx: Transaction<Tables>, scope: string): Promise<void> {
  await allowErasing(trx)
  await lockHeads(trx, [scope], NO_HASH)
  if (!(await verifyTrail(trx, scope)).isRight) return
  let hash: Buffer = NO_HASH
  let last = '0'
  let isRehashing = false
  for (;;) {
    const rows = await listChain(trx, scope, last, PAGE_ROWS)
    for (const { position, time, ...row } of rows) {
      last = position
      isRehashing ||= row.personal_hash === null
      if (isRehashing) {
        const hashes = hashNewEntry(hash, { ...row, time: time.toISOString() })
        await replaceHashes(trx, row.id, hashes)
        hash = hashes.hash
      } else hash = row.hash
    }
    if (rows.length < PAGE_ROWS) break
  }
  await moveHead(trx, scope, hash)
}
