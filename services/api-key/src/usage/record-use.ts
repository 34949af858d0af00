import { apiKeyUsedFromNewNetwork } from '@tapeline/contracts/api-key/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { Decision, UsageRequestServed, usageRequestServed } from '@tapeline/contracts/usage/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { aboutKey, nameOf } from '../keys/key-event.ts'
import type { Tables } from '../tables.ts'
import {
  addNetworks,
  countNetworks,
  deleteNetworksBeyond,
  findKeysByKid,
  raiseLastSeen,
  raiseLastUses,
  type NetworkUse,
} from './use-queries.ts'

const { key_id, kid, network } = UsageRequestServed.properties
const { verdict } = Decision.properties
const Used = Type.Object({ key_id, kid, network, decision: Type.Object({ verdict }) })
type Used = Static<typeof Used>
/** The part of a usage event with key, time and network. */
export const keyUsed = { ...usageRequestServed, data: Used }

/** Resolution of a network's last use: sufficient to find the oldest. */
const SEEN_EVERY_MS = 60 * 60 * 1_000
/** Maximum number of recent networks per key; further ones are neither stored nor reported. */
export const NETWORKS_KEPT = 100
const GATEWAY = { kind: 'service', service: 'gateway' } as const
type Trx = Transaction<Tables>
type Clock = Pick<Deps, 'now' | 'newId'>

/**
 * Records when and from where keys were used. Requests rejected by the key's own rules do not count. Idempotent:
 * times only increase, and a network is new once.
 */
export async function recordUse(deps: Clock, trx: Trx, events: readonly Event<Used>[]): Promise<void> {
  const networkUses = networkUsesOf(events, deps.now())
  if (networkUses.length === 0) return
  const keys = await findKeysByKid(trx, [...new Set(networkUses.map(({ kid }) => kid))])
  const current = networkUses.filter(({ kid, keyId }) => keys.get(kid)?.id === keyId)
  if (current.length === 0) return
  await raiseLastUses(
    trx,
    latestBy(current, ({ kid }) => kid),
  )
  const added = await noteNetworks(
    trx,
    latestBy(current, ({ keyId, network }) => `${keyId} ${network}`),
  )
  for (const { kid, network } of added) {
    const key = keys.get(kid)
    if (key === undefined) continue
    const data = { ...nameOf(key), network }
    await recordEvent(trx, newEvent(apiKeyUsedFromNewNetwork, { ...aboutKey(deps, GATEWAY, key), data }))
  }
}

/** Stores the networks of keys and returns the new ones, except a key's first network. */
async function noteNetworks(trx: Trx, networkUses: readonly NetworkUse[]): Promise<NetworkUse[]> {
  const keyIds = [...new Set(networkUses.map(({ keyId }) => keyId))]
  const counts = await countNetworks(trx, keyIds)
  const added = await addNetworks(trx, networkUses)
  await raiseLastSeen(trx, networkUses, SEEN_EVERY_MS)
  if (added.length > 0) await deleteNetworksBeyond(trx, keyIds, NETWORKS_KEPT)
  return added
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .filter(({ keyId }) => {
      const count = counts.get(keyId) ?? 0
      counts.set(keyId, count + 1)
      return count > 0 && count < NETWORKS_KEPT
    })
}

/** Times in the future, from a clock that runs ahead, are replaced by the current time. */
function networkUsesOf(events: readonly Event<Used>[], now: Date): NetworkUse[] {
  return events.flatMap(({ time, data: { key_id, kid, network, decision } }) => {
    const atMs = Date.parse(time)
    if (kid === null || network === '' || decision.verdict === 'refused' || Number.isNaN(atMs)) return []
    return [{ keyId: key_id, kid, network, at: new Date(Math.min(atMs, now.getTime())) }]
  })
}

function latestBy(networkUses: readonly NetworkUse[], nameOf: (networkUse: NetworkUse) => string): NetworkUse[] {
  const latest = new Map<string, NetworkUse>()
  for (const networkUse of networkUses) {
    const newest = latest.get(nameOf(networkUse))
    if (newest === undefined || newest.at < networkUse.at) latest.set(nameOf(networkUse), networkUse)
  }
  return [...latest.values()]
}
