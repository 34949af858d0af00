import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { ensureDays } from '../rollups/ensure-days.ts'
import { addNetworkSums } from '../reports/network-queries.ts'
import { findArchivedEvents } from '../request-log/archive/find-archived.ts'
import { lockArchiveShared } from '../request-log/archive/archive-queries.ts'
import { LEVEL_MS, LEVELS, ofAccounts, rollUpAccounts, rollUpFurther, rollUpMinutes } from '../rollups/roll-up.ts'
import { rollUpNetworks } from '../rollups/roll-up-networks.ts'
import { addRollUps, type LevelSums, replaceSketch } from '../rollups/roll-up-queries.ts'
import { SketchSum } from '../rollups/sketch.ts'
import { recordCorrections } from '../statements/close-hours.ts'
import type { Tables } from '../tables.ts'
import { type AccountLatest, insertUsageEvents, raiseAccounts } from './usage-event-queries.ts'
import { addShadowSums } from '../shadow/shadow-queries.ts'
import { sumShadow } from '../shadow/sum-shadow.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

const NEVER = '1970-01-01T00:00:00.000Z'

/** `store`: of archived days; late events are looked up in them. */
export type RecordingDeps = Pick<Deps, 'db' | 'now'> & Partial<Pick<Deps, 'store'>>

/** Stores the rows of a batch and adds the new ones to the roll-ups. Idempotent: a row is new when its event id is. */
export async function recordUsage(deps: RecordingDeps, trx: Trx, events: readonly UsageEvent[]): Promise<void> {
  const byId = new Map(events.map((event) => [event.id.toLowerCase(), event]))
  await ensureDays(
    deps.db,
    events.map(({ time }) => Date.parse(time)),
  )
  const newIds = await insertUsageEvents(deps.db, trx, await withoutArchived(deps, trx, [...byId.values()]))
  const added = [...byId].filter(([id]) => newIds.has(id)).map(([, event]) => event)
  if (added.length === 0) return
  await recordCorrections(trx, added, deps.now())
  await raiseAccounts(trx, latestOf(added))
  await addNetworkSums(trx, rollUpNetworks(added, 'quarter_hour'), rollUpNetworks(added, 'day'))
  await addShadowSums(trx, sumShadow(added))
  for (const row of await addRollUps(trx, rollUpLevels(added))) {
    const sketch = new SketchSum()
    sketch.addEncoded(row.latency)
    await replaceSketch(trx, row, sketch.encode())
  }
}

/** Days are archived two days after their end at the earliest, so only late events can be in the archive. */
async function withoutArchived({ now, store }: RecordingDeps, trx: Trx, events: UsageEvent[]): Promise<UsageEvent[]> {
  const lateBefore = now().getTime() - LEVEL_MS.day
  const late = events.filter(({ time }) => Date.parse(time) < lateBefore)
  if (late.length === 0) return events
  await lockArchiveShared(trx)
  const places = late.map(({ id, time, data }) => ({ id, timeMs: Date.parse(time), accountId: data.account_id }))
  const archived = await findArchivedEvents({ db: trx, store }, places)
  return archived.size === 0 ? events : events.filter(({ id }) => !archived.has(id))
}

function rollUpLevels(events: readonly UsageEvent[]): LevelSums[] {
  const levels: LevelSums[] = []
  let rollUps = rollUpMinutes(events)
  for (const level of LEVELS) {
    rollUps = rollUpFurther(level, rollUps)
    levels.push({ level, rollUps })
    const whole = ofAccounts(level)
    if (whole !== level) levels.push({ level: whole, rollUps: rollUpAccounts(level, rollUps) })
  }
  return levels
}

function latestOf(events: readonly UsageEvent[]): AccountLatest[] {
  const latest = new Map<string, AccountLatest>()
  for (const { time, data } of events) {
    const { account_id: accountId, decision } = data
    const entry = latest.get(accountId) ?? { accountId, windows: [], windowsAt: NEVER, lastAt: NEVER }
    latest.set(accountId, entry)
    if (isLater(time, entry.lastAt)) entry.lastAt = time
    if (decision.windows.length === 0 || !isLater(time, entry.windowsAt)) continue
    entry.windows = decision.windows
    entry.windowsAt = time
  }
  return [...latest.values()].toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))
}

function isLater(time: string, than: string): boolean {
  return Date.parse(time) >= Date.parse(than)
}
