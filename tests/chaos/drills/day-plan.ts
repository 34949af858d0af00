import { CLOSED_WITHOUT } from './databases-away.ts'
import { type Field, pause } from '../drill.ts'
import type { Random } from '../random.ts'
import { hangFor } from '../signal-process.ts'
import type { Area } from '../visits.ts'
import { SERVICES } from '../wires.ts'

/** One fault starts in each of these periods, unless the previous one has not ended. */
const SLOT_MS = 20_000
const BEGINS_WITHIN_MS = 5_000
const LASTS_MS = [1_000, 6_000] as const

export type Injection = {
  what: string
  name: string
  areas: readonly Area[]
  inject: (field: Field, forMs: number) => Promise<void>
}
export type Planned = { injection: Injection; atMs: number; lastsMs: number }

const ofDatabases: Injection[] = SERVICES.flatMap((name) =>
  (['refuse', 'reset'] as const).map((fault) => ({
    what: fault,
    name: `database of ${name}`,
    areas: CLOSED_WITHOUT[name],
    async inject({ wires }, forMs) {
      wires.databases[name].setFault(fault)
      await pause(forMs)
      wires.databases[name].setFault('pass')
    },
  })),
)
/** kill -9; requests in progress at that process may fail. */
const kill = (name: string, areas: readonly Area[]): Injection => ({
  what: 'kill',
  name,
  areas,
  async inject({ platform }, forMs) {
    await platform.kill(name)
    await pause(forMs)
    await platform.restart(name)
  },
})
const stop = (name: string, areas: readonly Area[]): Injection => ({
  what: 'stopped',
  name,
  areas,
  inject: ({ platform }, forMs) => hangFor(platform, name, forMs),
})
const wireOf: Injection = {
  what: 'hang',
  name: 'market-data',
  areas: ['data'],
  async inject({ wires }, forMs) {
    wires.marketData.setFault('hang')
    await pause(forMs)
    wires.marketData.setFault('pass')
  },
}
const INJECTIONS: readonly Injection[] = [
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

/** Kind, time and duration of all faults, determined only by the seed and the length of the day. */
export function planDay(random: Random, dayMs: number): Planned[] {
  const slots = Math.max(1, Math.floor(dayMs / SLOT_MS))
  const order: Injection[] = []
  while (order.length < slots) order.push(...random.shuffled(INJECTIONS))
  return order.slice(0, slots).map((injection, slot) => ({
    injection,
    atMs: slot * SLOT_MS + random.between(0, BEGINS_WITHIN_MS),
    lastsMs: random.between(...LASTS_MS),
  }))
}
