import type { Kysely } from 'kysely'
import { createPartitions, listPartitions, lockPartitions, PARTITIONED_TABLES } from './partition-queries.ts'
import { LEVEL_MS } from './roll-up.ts'
import type { Tables } from '../tables.ts'

/** Days known to have partitions, by database; a day is never dropped while events of it are accepted. */
const existingDays = new WeakMap<Kysely<Tables>, Set<string>>()

/** Creates missing partitions for these times, in a separate transaction so that no batch keeps the locks. */
export async function ensureDays(db: Kysely<Tables>, timesMs: readonly number[]): Promise<void> {
  const existing = existingDays.get(db) ?? new Set<string>()
  existingDays.set(db, existing)
  const days = new Set(timesMs.map((timeMs) => Math.floor(timeMs / LEVEL_MS.day)))
  const missing = new Set([...days].map((day) => dayOf(day * LEVEL_MS.day))).difference(existing)
  if (missing.size === 0) return
  await db.transaction().execute(async (trx) => {
    await lockPartitions(trx)
    const have = new Set((await listPartitions(trx)).map(({ table, day }) => `${table} ${day}`))
    const partitions = PARTITIONED_TABLES.flatMap((table) => [...missing].map((day) => ({ table, day })))
    await createPartitions(
      trx,
      partitions.filter(({ table, day }) => !have.has(`${table} ${day}`)),
    )
  })
  for (const day of missing) existing.add(day)
}

export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
