import type { Redis } from 'ioredis'

/** Cells `<minute>:<kid>:<kind>` of an account, of all hours: a full hour or minute may begin during a test. */
export async function usageCells(redis: Redis, accountId: string): Promise<[cell: string, count: number][]> {
  const hours = await redis.keys(`usage:{${accountId}}:*`)
  const cells = await Promise.all(hours.map((key) => redis.hgetall(key)))
  return cells.flatMap((hour) => Object.entries(hour)).map(([cell, count]) => [cell, Number(count)])
}

/** Counts by `admitted`, `denied` and `refused`, over all minutes and keys. */
export async function usageByKind(redis: Redis, accountId: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [cell, count] of await usageCells(redis, accountId)) {
    const kind = cell.split(':').at(-1) ?? ''
    sums[kind] = (sums[kind] ?? 0) + count
  }
  return sums
}
