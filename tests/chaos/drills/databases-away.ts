import type { Fault as WireFault } from '@tapeline/testing/fault-proxy'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkCounting } from '../checks/check-counting.ts'
import { checkFaultVisible, checkRadius, type Radius, recoveryMs } from '../checks/check-radius.ts'
import { type Drill, type Field, type Outcome, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import type { Fault } from '../history.ts'
import { newAccount, startLoad } from '../load.ts'
import { quantileOf } from '../quantile-of.ts'
import { type Area, AREAS, startVisits, type Visit } from '../visits.ts'
import { type Service, SERVICES } from '../wires.ts'

/** The areas that fail without the tables of a service; all others keep working. */
export const CLOSED_WITHOUT: Record<Service, readonly Area[]> = {
  identity: ['sign-in'],
  'api-key': ['keys'],
  config: ['settings'],
  audit: ['usage'],
  'market-data': ['data'],
}
const LOAD = { clients: 2, pauseMs: 40 }
const BEFORE_MS = [300, 900] as const
const RECOVER_WITHIN_MS = 5_000
/** Bound for a machine busy with tests, where no time is guaranteed. */
const RECOVER_WITHIN_BUSY_MS = 60_000
const LONG_ENOUGH_TO_HANG_MS = 20_000

export const databasesAway: Drill = {
  name: 'databases-away',
  what: 'PostgreSQL of each service in turn refuses connections, resets them, or (outages of 20 s and longer) does not answer',
  async run(field) {
    const { history, random, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    const visits = startVisits(field, account)
    const radii: Radius[] = []
    for (const service of random.shuffled(SERVICES)) {
      for (const fault of faultsFor(field)) {
        await pause(random.between(...BEFORE_MS))
        await history.during(fault, service, () => withFault(field, { service, fault }))
        radii.push(radiusOf(field, CLOSED_WITHOUT[service]))
        await allOpen(visits.list, size.settledWithinMs)
      }
    }
    await visits.stop()
    await load.stop()
    return outcomeOf(field, {
      visits: visits.list,
      radii,
      counted: checkCounting(await gatherCounting(field, account)),
    })
  },
}

/** A hang is detected by deadlines only; a shorter hang merely delays responses. */
function faultsFor({ random, size }: Field): WireFault[] {
  const quick: WireFault[] = ['refuse', 'reset']
  if (size.awayMs >= LONG_ENOUGH_TO_HANG_MS) return random.shuffled([...quick, 'hang'])
  return random.shuffled(quick).slice(0, 1)
}

async function withFault({ wires, size }: Field, { service, fault }: { service: Service; fault: WireFault }) {
  const wire = wires.databases[service]
  wire.setFault(fault)
  try {
    await pause(size.awayMs)
  } finally {
    wire.setFault('pass')
  }
}

/** The radius of the fault that has just ended. */
export function radiusOf({ history, size }: Field, areas: readonly Area[]): Radius {
  const fault = history.faults.at(-1) as Fault
  return { fault, areas, recoverWithinMs: size.isTimed ? RECOVER_WITHIN_MS : RECOVER_WITHIN_BUSY_MS }
}

/** Every area has answered a request that started after this call. */
export async function allOpen(visits: readonly Visit[], withinMs: number): Promise<void> {
  const sinceMs = Date.now()
  const isOpen = (area: Area) => visits.some((one) => one.area === area && one.startMs > sinceMs && one.status === 200)
  await waitUntil('every area is open again', () => AREAS.every(isOpen), withinMs)
}

const HANGING = 'hang'

/** How soon a sign-in gets a 503 while the tables it needs refuse or reset connections; 0 if none was. */
function refusedP99Ms(visits: readonly Visit[], radii: readonly Radius[]): number {
  const faults = radii.filter(({ fault, areas }) => fault.what !== HANGING && areas.includes('sign-in'))
  const times = visits.flatMap(({ area, status, startMs, endMs }) => {
    const isDuring = faults.some(({ fault }) => startMs >= fault.startMs && endMs <= fault.endMs)
    return area === 'sign-in' && status === 503 && isDuring ? [endMs - startMs] : []
  })
  return quantileOf(times, 0.99) ?? 0
}

type Observations = { visits: readonly Visit[]; radii: readonly Radius[]; counted: Outcome['checks'] }

export function outcomeOf({ history, size }: Field, { visits, radii, counted }: Observations): Outcome {
  const recovered = radii.map((radius) => recoveryMs(visits, radius, radii))
  return {
    checks: [...checkFaultVisible(visits, radii), ...checkRadius(visits, radii, size.isTimed), ...counted],
    figures: {
      faults: radii.length,
      visits: visits.length,
      failedVisits: visits.filter(({ status }) => status !== 200).length,
      answered: history.requests.length,
      signInRefusedP99Ms: refusedP99Ms(visits, radii),
      longestRecoveryMs: Math.max(0, ...recovered),
    },
  }
}
