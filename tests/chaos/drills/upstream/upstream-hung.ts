import type { Fault as WireFault } from '@tapeline/testing/fault-proxy'
import { allOpen, outcomeOf, radiusOf } from '../databases-away.ts'
import { checkThat, type Drill, type Field, type Outcome, pause } from '../../drill.ts'
import { newAccount } from '../../load.ts'
import { startVisits } from '../../visits.ts'

/** A read's deadline is two seconds; no client waits much longer than that. */
const LONGEST_MS = 4_000
const LONGEST_BUSY_MS = 20_000

export const upstreamHung: Drill = {
  name: 'upstream-hung',
  what: 'market-data accepts every request and answers none',
  run: (field) => without(field, 'hang'),
}

export const upstreamSlow: Drill = {
  name: 'upstream-slow',
  what: 'market-data answers two seconds late',
  run: (field) => without(field, 'slow'),
}

async function without(field: Field, fault: WireFault): Promise<Outcome> {
  const { history, size, wires } = field
  const account = await newAccount(field)
  const visits = startVisits(field, account)
  await allOpen(visits.list, size.settledWithinMs)
  await history.during(fault, 'market-data', async () => {
    wires.marketData.setFault(fault)
    await pause(size.awayMs)
    wires.marketData.setFault('pass')
  })
  const radius = radiusOf(field, ['data'])
  await allOpen(visits.list, size.settledWithinMs)
  await visits.stop()
  const longestMs = Math.max(...visits.list.map(({ startMs, endMs }) => endMs - startMs))
  const mostMs = size.isTimed ? LONGEST_MS : LONGEST_BUSY_MS
  const bounded = checkThat(`no request takes longer than ${mostMs} ms`, longestMs <= mostMs, `${longestMs} ms`)
  const { checks, figures } = outcomeOf(field, { visits: visits.list, radii: [radius], counted: [bounded] })
  return { checks, figures: { ...figures, longestMs } }
}
