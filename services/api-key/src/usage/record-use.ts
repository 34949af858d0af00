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
  type Sighting,
} from './use-queries.ts'

const { key_id, kid, network } = UsageRequestServed.properties
const { verdict } = Decision.properties
const Used = Type.Object({ key_id, kid, network, decision: Type.Object({ verdict }) })
type Used = Static<typeof Used>
/** The part of a usage event that says which key was used when and from where. */
export const keyUsed = { ...usageRequestServed, data: Used }

/** When a network was last seen is known this well: enough to forget the oldest. */
const SEEN_EVERY_MS = 60 * 60 * 1_000
/** A key that is used from so many lately is used from anywhere: further ones are no news. */
export const NETWORKS_KEPT = 100
const GATEWAY = { kind: 'service', service: 'gateway' } as const
type Trx = Transaction<Tables>
type Clock = Pick<Deps, 'now' | 'newId'>

/**
 * When and from where keys were used. A request that a key's own rules refused is no use of it. Safe to run twice: times
 * only rise, and a network is new once.
 */
export async function recordUse(deps: Clock, trx: Trx, events: readonly Event<Used>[]): Promise<void> {
  const sightings = sightingsOf(events, deps.now())
  if (sightings.length === 0) return
  const keys = await findKeysByKid(trx, [...new Set(sightings.map(({ kid }) => kid))])
  const known = sightings.filter(({ kid, keyId }) => keys.get(kid)?.id === keyId)
  if (known.length === 0) return
  await raiseLastUses(
    trx,
    latestBy(known, ({ kid }) => kid),
  )
  const added = await noteNetworks(
    trx,
    latestBy(known, ({ keyId, network }) => `${keyId} ${network}`),
  )
  for (const { kid, network } of added) {
    const key = keys.get(kid)
    if (key === undefined) continue
    const data = { ...nameOf(key), network }
    await recordEvent(trx, newEvent(apiKeyUsedFromNewNetwork, { ...aboutKey(deps, GATEWAY, key), data }))
  }
}

/** Notes where keys were seen and gives back what is news: not a key's first network. */
async function noteNetworks(trx: Trx, sightings: readonly Sighting[]): Promise<Sighting[]> {
  const keyIds = [...new Set(sightings.map(({ keyId }) => keyId))]
  const counts = await countNetworks(trx, keyIds)
  const added = await addNetworks(trx, sightings)
  await raiseLastSeen(trx, sightings, SEEN_EVERY_MS)
  if (added.length > 0) await deleteNetworksBeyond(trx, keyIds, NETWORKS_KEPT)
  return added
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .filter(({ keyId }) => {
      const count = counts.get(keyId) ?? 0
      counts.set(keyId, count + 1)
      return count > 0 && count < NETWORKS_KEPT
    })
}

/** A clock that runs ahead moves no time into the future. */
function sightingsOf(events: readonly Event<Used>[], now: Date): Sighting[] {
  return events.flatMap(({ time, data: { key_id, kid, network, decision } }) => {
    const atMs = Date.parse(time)
    if (kid === null || network === '' || decision.verdict === 'refused' || Number.isNaN(atMs)) return []
    return [{ keyId: key_id, kid, network, at: new Date(Math.min(atMs, now.getTime())) }]
  })
}

function latestBy(sightings: readonly Sighting[], nameOf: (sighting: Sighting) => string): Sighting[] {
  const latest = new Map<string, Sighting>()
  for (const sighting of sightings) {
    const known = latest.get(nameOf(sighting))
    if (known === undefined || known.at < sighting.at) latest.set(nameOf(sighting), sighting)
  }
  return [...latest.values()]
}
