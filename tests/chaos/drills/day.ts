import { checkAsPlanned, checkDay } from '../checks/check-day.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { checkFailures, recoveryMs, type Radius } from '../checks/check-radius.ts'
import { allOpen, radiusOf } from './databases-away.ts'
import { planDay } from './day-plan.ts'
import { type Drill, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'
import { createRandom } from '../random.ts'
import { startVisits } from '../visits.ts'

const LOAD = { clients: 2, pauseMs: 50 }
/** A day lasts twenty outages: ten minutes for outages of half a minute. */
const DAY = 20

/** One fault after the other; the seed determines their order, start and duration. */
export const day: Drill = {
  name: 'day',
  what: 'a day of faults in minutes: databases, services and the broker, one after the other, determined by the seed',
  async run(field) {
    const { history, random, seed, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    const visits = startVisits(field, account)
    await allOpen(visits.list, size.settledWithinMs)
    const radii: Radius[] = []
    const beganMs = Date.now()
    let latestMs = 0
    for (const { injection, atMs, lastsMs } of planDay(random, DAY * size.awayMs)) {
      const { what, name, areas, inject } = injection
      await pause(Math.max(0, beganMs + atMs - Date.now()))
      latestMs = Math.max(latestMs, Date.now() - beganMs - atMs)
      await history.during(what, name, () => inject(field, lastsMs))
      radii.push(radiusOf(field, areas))
      await allOpen(visits.list, size.settledWithinMs)
    }
    const lastedMs = Date.now() - beganMs
    await visits.stop()
    await load.stop()
    const counted = checkCounting(await gatherCounting(field, account))
    const { checks, figures } = checkDay({ visits: visits.list, requests: history.requests, radii })
    const failures = checkFailures(visits.list, radii, size.isTimed)
    const plan = planDay(createRandom(seed), DAY * size.awayMs)
    return {
      checks: [...checks, ...failures, checkAsPlanned(history.faults, plan, beganMs), ...counted],
      figures: {
        faults: radii.length,
        seconds: Math.round(lastedMs / 1_000),
        latestMs,
        longestRecoveryMs: Math.max(0, ...radii.map((radius) => recoveryMs(visits.list, radius, radii))),
        ...figures,
      },
    }
  },
}
