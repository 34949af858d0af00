import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { ensureDays } from '../rollups/ensure-days.ts'
import { addNetworkSums } from '../reports/network-queries.ts'
import { findArchivedEvents } from '../request-log/archive/find-archived.ts'
import { lockArchiveShared } from '../request-log/archive/archive-queries.ts'
import {
  LEVEL_MS,
  LEVELS,
  ofAccounts,
  type RollUp,
  rollUpAccounts,
  rollUpFurther,
  rollUpMinutes,
  type ServedRequest,
} from '../rollups/roll-up.ts'
import { rollUpNetworkDays, rollUpNetworks } from '../rollups/roll-up-networks.ts'
import { addRollUps, type LevelSums, replaceSketch } from '../rollups/roll-up-queries.ts'
import { SketchSum } from '../rollups/sketch.ts'
import { recordCorrections } from '../statements/close-hours.ts'
import type { Tables } from '../tables.ts'
import { type AccountLatest, insertRequests, raiseAccounts } from './usage-event-queries.ts'
import { addShadowSums } from '../shadow/shadow-queries.ts'
import { sumShadow } from '../shadow/sum-shadow.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

/** In the distant past. */
const NEVER_MS = 0

/** `store`: of archived days; late events are looked up in them. */
export type RecordingDeps = Pick<Deps, 'db' | 'now'> & Partial<Pick<Deps, 'store'>>

/** Stores the rows of a batch and adds the new ones to the roll-ups. Idempotent: a row is new when its event id is. */
export async function recordUsage(deps: RecordingDeps, trx: Trx, events: readonly UsageEvent[]): Promise<void> {
  const requests = requestsOf(events)
  await ensureDays(
    deps.db,
    requests.map(({ timeMs }) => timeMs),
  )
  const added = await insertRequests(deps.db, trx, await withoutArchived(deps, trx, requests))
  if (added.length === 0) return
  await recordCorrections(trx, added, deps.now())
  await raiseAccounts(trx, latestOf(added))
  const quarters = rollUpNetworks(added)
  await addNetworkSums(trx, quarters, rollUpNetworkDays(quarters))
  await addShadowSums(trx, sumShadow(added))
  for (const row of await addRollUps(trx, rollUpLevels(added))) {
    const sketch = new SketchSum()
    sketch.addEncoded(row.latency)
    await replaceSketch(trx, row, sketch.encode())
  }
}

/** One request per event id. */
function requestsOf(events: readonly UsageEvent[]): ServedRequest[] {
  const byId = new Map<string, ServedRequest>()
  for (const event of events) {
    const id = event.id.toLowerCase()
    byId.set(id, { id, timeMs: Date.parse(event.time), data: event.data })
  }
  return [...byId.values()]
}

/** Days are archived two days after their end at the earliest, so only late requests can be in the archive. */
async function withoutArchived(
  { now, store }: RecordingDeps,
  trx: Trx,
  requests: ServedRequest[],
): Promise<ServedRequest[]> {
  const lateBefore = now().getTime() - LEVEL_MS.day
  const late = requests.filter(({ timeMs }) => timeMs < lateBefore)
  if (late.length === 0) return requests
  await lockArchiveShared(trx)
  const places = late.map(({ id, timeMs, data }) => ({ id, timeMs, accountId: data.account_id }))
  const archived = await findArchivedEvents({ db: trx, store }, places)
  return archived.size === 0 ? requests : requests.filter(({ id }) => !archived.has(id))
}

function rollUpLevels(requests: readonly ServedRequest[]): LevelSums[] {
  const levels: LevelSums[] = []
  let rollUps: readonly RollUp[] = rollUpMinutes(requests)
  const wholes = new Map<readonly RollUp[], RollUp[]>()
  for (const level of LEVELS) {
    if (level !== 'minute') rollUps = rollUpFurther(level, rollUps)
    levels.push({ level, rollUps })
    const whole = ofAccounts(level)
    if (whole === level) continue
    const ofWhole = wholes.get(rollUps) ?? rollUpAccounts(level, rollUps)
    wholes.set(rollUps, ofWhole)
    levels.push({ level: whole, rollUps: ofWhole })
  }
  return levels
}

function latestOf(requests: readonly ServedRequest[]): AccountLatest[] {
  const latest = new Map<string, AccountLatest>()
  for (const { timeMs, data } of requests) {
    const { account_id: accountId, decision } = data
    const entry = latest.get(accountId) ?? { accountId, windows: [], windowsAtMs: NEVER_MS, lastAtMs: NEVER_MS }
    latest.set(accountId, entry)
    entry.lastAtMs = Math.max(entry.lastAtMs, timeMs)
    if (decision.windows.length === 0 || timeMs < entry.windowsAtMs) continue
    entry.windows = decision.windows
    entry.windowsAtMs = timeMs
  }
  return [...latest.values()].toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))
}
