import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import { floorTo } from '../rollups/roll-up.ts'
import type { Tables } from '../tables.ts'
import { holdClosing, insertCorrections } from './closing-queries.ts'

/**
 * Notes which new rows belong to an hour that is closed already: they are corrections, and the closed hour stays as it
 * is. No hour closes before the transaction ends, so a row is in its closed hour or in a correction, and never in both.
 */
export async function recordCorrections(
  trx: Transaction<Tables>,
  added: readonly Event<UsageRequestServed>[],
  at: Date,
): Promise<void> {
  const closedUntil = await holdClosing(trx)
  if (closedUntil === undefined) return
  const late = added.filter(({ time }) => Date.parse(time) < closedUntil.getTime())
  if (late.length === 0) return
  const rows = late.map(({ id, time, data }) => ({
    id,
    accountId: data.account_id,
    hourAt: new Date(floorTo('hour', Date.parse(time))),
  }))
  await insertCorrections(trx, rows, at)
}
