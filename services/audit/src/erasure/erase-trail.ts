import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { rehashChain } from '../trail/rehash-chain.ts'
import { allowErasing, blankEntries, findEntriesEnd, hasUnsaltedEntries } from './erasure-queries.ts'

/**
 * Removes personal data and its salts from every entry of an account's chain. The hash of the erased part stays, so
 * the chain and its anchors remain verifiable. Idempotent.
 */
export async function eraseTrail(trx: Transaction<Tables>, scope: string, batchRows: number): Promise<void> {
  if (await hasUnsaltedEntries(trx, scope)) await rehashChain(trx, scope)
  await allowErasing(trx)
  for (let after = '0'; ;) {
    const through = await findEntriesEnd(trx, scope, after, batchRows)
    await blankEntries(trx, { scope, after, through })
    if (through === undefined) return
    after = through
  }
}
