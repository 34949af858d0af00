import type { Outcome } from '@tapeline/contracts/usage/events'
import { floorTo, type ServedRequest } from './roll-up.ts'

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

/** Sums by network and quarter of an hour, in the order of the primary key, so that concurrent transactions cannot deadlock. */
export function rollUpNetworks(requests: readonly ServedRequest[]): NetworkSum[] {
  const sums = new Map<string, NetworkSum>()
  for (const { timeMs, data } of requests) {
    const { account_id, network, key_id, route, outcome } = data
    const bucketMs = floorTo('quarter_hour', timeMs)
    addTo(sums, { account_id, bucketMs, network, key_id, route, outcome, requests: 1, lastMs: timeMs })
  }
  return inOrder(sums)
}

/** Sums the quarters of an hour into UTC days. */
export function rollUpNetworkDays(quarters: readonly NetworkSum[]): NetworkSum[] {
  const sums = new Map<string, NetworkSum>()
  for (const one of quarters) addTo(sums, { ...one, bucketMs: floorTo('day', one.bucketMs) })
  return inOrder(sums)
}

function addTo(sums: Map<string, NetworkSum>, one: NetworkSum): void {
  const { account_id, bucketMs, network, key_id, route, outcome } = one
  const name = `${account_id}\0${bucketMs}\0${network}\0${key_id}\0${route}\0${outcome}`
  const sum = sums.get(name)
  if (sum === undefined) {
    sums.set(name, one)
    return
  }
  sum.requests += one.requests
  sum.lastMs = Math.max(sum.lastMs, one.lastMs)
}

function inOrder(sums: ReadonlyMap<string, NetworkSum>): NetworkSum[] {
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
