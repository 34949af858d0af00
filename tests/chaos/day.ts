import { checkCounting } from './check-counting.ts'
import type { Radius } from './check-radius.ts'
import { allOpen, CLOSED_WITHOUT, judge, radiusOf } from './databases-away.ts'
import { checkThat, type Drill, type Field, pause } from './drill.ts'
import { gatherCounting } from './gather-counting.ts'
import { newAccount, startLoad } from './load.ts'
import { hangFor } from './signal-process.ts'
import { type Door, startVisits } from './visits.ts'
import { SERVICES } from './wires.ts'

const LOAD = { clients: 2, pauseMs: 50 }
const LASTS_MS = [1_000, 6_000] as const
const BETWEEN_MS = [500, 3_000] as const
/** A day is twenty times as long as something else is away: ten minutes for half of one. */
const DAY = 20
const UNAFFECTED_MIN = 0.999

type Misfortune = {
  what: string
  name: string
  doors: readonly Door[]
  happen: (field: Field, forMs: number) => Promise<void>
}

const ofDatabases: Misfortune[] = SERVICES.flatMap((name) =>
  (['refuse', 'reset'] as const).map((fault) => ({
    what: fault,
    name: `database of ${name}`,
    doors: CLOSED_WITHOUT[name],
    async happen({ wires }, forMs) {
      wires.databases[name].setFault(fault)
      await pause(forMs)
      wires.databases[name].setFault('pass')
    },
  })),
)
/** kill -9; whoever was being served by it may be cut short. */
const kill = (name: string, doors: readonly Door[]): Misfortune => ({
  what: 'kill',
  name,
  doors,
  async happen({ platform }, forMs) {
    await platform.kill(name)
    await pause(forMs)
    await platform.restart(name)
  },
})
const stop = (name: string, doors: readonly Door[]): Misfortune => ({
  what: 'stopped',
  name,
  doors,
  happen: ({ platform }, forMs) => hangFor(platform, name, forMs),
})
const wireOf: Misfortune = {
  what: 'hang',
  name: 'market-data',
  doors: ['data'],
  async happen({ wires }, forMs) {
    wires.marketData.setFault('hang')
    await pause(forMs)
    wires.marketData.setFault('pass')
  },
}
const MISFORTUNES: readonly Misfortune[] = [
  ...ofDatabases,
  wireOf,
  kill('kafka', []),
  kill('audit', ['usage']),
  kill('identity', ['sign-in']),
  kill('config', ['settings']),
  kill('api-key', ['keys']),
  kill('market-data', ['data']),
  stop('audit', ['usage']),
  stop('kafka', []),
]

/** One misfortune after the other, in an order and for times that the seed decides. */
export const day: Drill = {
  name: 'day',
  what: 'a day of faults in minutes: databases, services and the broker, one after the other, as the seed says',
  async run(field) {
    const { history, random, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    const visits = startVisits(field, account)
    const radii: Radius[] = []
    const untilMs = Date.now() + DAY * size.awayMs
    for (let order = random.shuffled(MISFORTUNES); Date.now() < untilMs;) {
      const [next] = order.splice(0, 1)
      if (next === undefined) order = random.shuffled(MISFORTUNES)
      else {
        await history.during(next.what, next.name, () => next.happen(field, random.between(...LASTS_MS)))
        radii.push(radiusOf(field, next.doors))
        await allOpen(visits.list, size.settledWithinMs)
        await pause(random.between(...BETWEEN_MS))
      }
    }
    await visits.stop()
    await load.stop()
    const counted = checkCounting(await gatherCounting(field, account))
    // A short silence of a database is no failure, and one of the broker is nobody's business.
    const { checks, figures } = judge(field, { visits: visits.list, radii, counted })
    const untouched = visits.list.filter(({ door, startMs, endMs }) =>
      radii.every(
        ({ fault, doors, againWithinMs }) =>
          !doors.includes(door) || endMs < fault.startMs || startMs > fault.endMs + againWithinMs,
      ),
    )
    const served = untouched.filter(({ status }) => status === 200).length
    const share = served / untouched.length
    return {
      checks: [
        ...checks.filter(({ guarantee }) => !guarantee.includes(': felt at ')),
        checkThat(
          `whoever was not affected was served: at least ${UNAFFECTED_MIN}`,
          share >= UNAFFECTED_MIN,
          `${served} of ${untouched.length}`,
        ),
      ],
      figures: { ...figures, unaffected: untouched.length, unaffectedServed: served },
    }
  },
}
