import { usageOf } from '@tapeline/testing/api-client'
import { usageCellsOf } from '@tapeline/testing/usage/usage-cells'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { usageVerdictOf } from '@tapeline/testing/usage/usage-verdict'
import type { CountingEvidence } from './check-counting.ts'
import { type Field, pause } from '../drill.ts'
import { type ClientRequest, requestsDuring } from '../history.ts'
import type { Account } from '../load.ts'

const STILL_FOR_MS = 1_000
const UNCOUNTED_STATUS = 503

/** Whether the limiter's counts are complete; false if Redis lost some. */
export type Gathering = { areCellsWhole?: boolean }

type Stored = Pick<CountingEvidence, 'rows' | 'repeatedIds' | 'mismatches' | 'rolledUp' | 'cells' | 'shown'>

/** Waits until all answered requests are counted, as long as the drill allows, and returns the stored counts. */
export async function gatherCounting(
  { platform, history, size }: Field,
  { accountId, token }: Account,
  { areCellsWhole = true }: Gathering = {},
): Promise<CountingEvidence> {
  const sent = history.requests.filter(({ account }) => account === accountId)
  const idsOf = (some: readonly ClientRequest[]) => some.flatMap(({ requestId }) => requestId ?? [])
  const answered = idsOf(sent.filter(({ status }) => status !== UNCOUNTED_STATUS))
  const inFlight = inFlightAtKills({ history }, sent).length
  const url = platform.databaseUrls.audit
  const read = async (): Promise<Stored> => {
    const rows = (await usageRowsOf(url, accountId)).map(({ requestId }) => requestId)
    const { repeatedIds, levels } = await usageVerdictOf(url, accountId)
    return {
      rows,
      repeatedIds,
      mismatches: Object.values(levels).reduce((sum, { mismatches }) => sum + mismatches.length, 0),
      rolledUp: Object.fromEntries(Object.entries(levels).map(([level, { requests }]) => [level, requests])),
      cells: areCellsWhole ? await usageCellsOf(platform.addresses.redisUrl, accountId) : undefined,
      shown: (await usageOf(platform.gatewayUrl, token)).total,
    }
  }
  // Waits until no more events arrive, because requests without an answer may be recorded after all answered ones.
  let before = -1
  const isWhole = (stored: Stored): boolean => {
    const isStill = stored.rows.length === before
    before = stored.rows.length
    return isStill && isSubset(answered, stored.rows) && isConsistent(stored, inFlight)
  }
  return {
    answered,
    maybeCounted: idsOf(sent.filter(({ status }) => status === UNCOUNTED_STATUS)),
    unanswered: sent.filter(({ status }) => status === undefined).length,
    inFlight,
    ...(await settled(Date.now() + size.settledWithinMs, read, isWhole)),
  }
}

/** The counts are read one after the other and differ while events still arrive. */
function isConsistent({ rows, mismatches, rolledUp, cells, shown }: Stored, inFlight: number): boolean {
  const areSums = mismatches === 0 && Object.values(rolledUp).every((requests) => requests === rows.length)
  return areSums && shown === rows.length && (cells === undefined || Math.abs(cells - rows.length) <= inFlight)
}

function inFlightAtKills({ history }: Pick<Field, 'history'>, sent: readonly ClientRequest[]): ClientRequest[] {
  const kills = history.faults.filter(({ what }) => what === 'kill' || what === 'cut')
  return [...new Set(kills.flatMap((kill) => requestsDuring(sent, kill)))]
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  const all = new Set(whole)
  return part.every((one) => all.has(one))
}

/** The first value that satisfies the condition, or the last one before the deadline. */
async function settled<T>(deadlineMs: number, read: () => Promise<T>, isSettled: (value: T) => boolean): Promise<T> {
  for (;;) {
    try {
      const value = await read()
      if (isSettled(value) || Date.now() > deadlineMs) return value
    } catch (error) {
      if (Date.now() > deadlineMs) throw error
    }
    await pause(STILL_FOR_MS)
  }
}
