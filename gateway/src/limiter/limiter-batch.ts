import type { LeaseList } from './lease-list.ts'
import type { LimiterCall } from './limiter-call.ts'

export type Waiting = { accountId: string; onDone: () => void }
type BatchContents = {
  calls: LimiterCall[]
  released: { list: LeaseList; leaseIds: string[] }[]
  waiting: Waiting[]
}
/** Everything that went to Redis in one turn of the event loop; to a cluster, everything of one account. */
export type Batch = BatchContents & {
  /** How long this process has been running and waiting for the batch, in ms. */
  waitedMs: number
  isAbandoned: boolean
}

export function batchOf(contents: BatchContents): Batch {
  return { ...contents, waitedMs: 0, isAbandoned: false }
}

/** The keys of one account are in one slot: a cluster takes them in one pipeline and redirects it when the slot has moved. */
export function batchesByAccount({ calls, released, waiting }: BatchContents): Batch[] {
  const batches = new Map<string, Batch>()
  const of = (accountId: string): Batch => {
    const batch = batches.get(accountId) ?? batchOf({ calls: [], released: [], waiting: [] })
    batches.set(accountId, batch)
    return batch
  }
  for (const one of released) of(one.list.accountId).released.push(one)
  for (const one of waiting) of(one.accountId).waiting.push(one)
  for (const call of calls) of(call.query.counters.accountId).calls.push(call)
  return [...batches.values()]
}
