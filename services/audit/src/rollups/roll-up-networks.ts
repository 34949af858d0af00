import type { Event } from '@tapeline/contracts/event'
import type { Outcome, UsageRequestServed } from '@tapeline/contracts/usage/events'
import { floorTo } from './roll-up.ts'

/** Requests from one network in a quarter of an hour or a day. */
export type NetworkSum = {
  account_id: string
  bucketMs: number
  network: string
  key_id: string
  route: string
  outcome: Outcome
  requests: number
  lastMs: number
}

/** Sums by network in the order of the primary key, so that concurrent transactions cannot deadlock. */
export function rollUpNetworks(
  events: readonly Event<UsageRequestServed>[],
  level: 'quarter_hour' | 'day',
): NetworkSum[] {
  const sums = new Map<string, NetworkSum>()
  for (const { time, data } of events) {
    const timeMs = Date.parse(time)
    const bucketMs = floorTo(level, timeMs)
    const { account_id, network, key_id, route, outcome } = data
    const name = `${account_id}\0${bucketMs}\0${network}\0${key_id}\0${route}\0${outcome}`
    const existing = sums.get(name)
    if (existing === undefined) {
      sums.set(name, { account_id, bucketMs, network, key_id, route, outcome, requests: 1, lastMs: timeMs })
    } else {
      existing.requests += 1
      existing.lastMs = Math.max(existing.lastMs, timeMs)
    }
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
