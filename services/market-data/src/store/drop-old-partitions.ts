import type { Deps } from '../deps.ts'
import { SIM_VENUE } from '../instruments/instrument.ts'
import { dayOf, dayStart, nanosecondsOf } from '../nanoseconds.ts'
import { inTransaction } from '../lake/in-transaction.ts'
import { expireSealedDays } from '../lake/sealing/sweep-queries.ts'
import type { ChannelName } from '../tables.ts'
import { deleteDerived, deleteRows, listPartitions } from './partition-queries.ts'

const CHANNELS: readonly ChannelName[] = ['trade', 'l2_event']

/**
 * Drops days older than the retention that contain only the simulated venue; of a mixed day, the
 * simulated rows. Safe to repeat. Returns the names of the partitions.
 */
export async function dropOldPartitions({ pool, now, instruments }: Deps, retentionDays: number): Promise<string[]> {
  const simulated = (await instruments.list()).filter(({ venue }) => venue === SIM_VENUE)
  const instrumentIds = simulated.map(({ instrumentId }) => instrumentId)
  const firstDay = dayOf(String(nanosecondsOf(now()))) - retentionDays
  const done: string[] = []
  for (const channel of CHANNELS) {
    const retainedFrom = dayStart(firstDay)
    await inTransaction(pool, async (client) => {
      const expired = await expireSealedDays(client, { channel, instrumentIds, firstDay, retainedFrom })
      if (expired > 0) await deleteDerived(client, { channel, instrumentIds, retainedFrom })
    })
    const partitions = (await listPartitions(pool, channel)).filter(({ day }) => day < firstDay)
    for (const partition of partitions) {
      const { rows, isDropped } = await deleteRows(pool, {
        channel,
        partition,
        instrumentIds,
        retainedFrom,
      })
      if (isDropped || rows > 0) done.push(partition.name)
    }
  }
  return done
}
