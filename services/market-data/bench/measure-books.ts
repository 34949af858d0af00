import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { readBook } from '../src/book/read-book.ts'
import { createCheckpointWriter } from '../src/book/write-checkpoints.ts'
import type { Deps } from '../src/deps.ts'
import { createLake } from '../src/lake/lake.ts'
import { dayStart } from '../src/nanoseconds.ts'
import type { L2Record, Level } from '../src/store/record.ts'
import { storeAtOnce } from '../src/store/store-records.ts'
import { openTestLake } from '../test/lake/lake.fixture.ts'

// npm run bench:books: CPU of a book at a moment of a day that is sealed into the lake: at random moments without decoded
// events in memory, and at adjacent ones, as a slider requests them.

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '60000' },
    moments: { type: 'string', default: '300' },
    out: { type: 'string', default: 'docs/benchmarks/books.json' },
  },
})
const DAY = 19_943
const DAY_NS = 86_400_000_000_000n
const INSTRUMENT = { instrumentId: 1, venue: 'sim' }
const LEVELS_PER_SIDE = 1_000
const LEVELS_PER_UPDATE = 18
const BATCH = 5_000
const DEPTH = 100
/** Warm-up: the first rounds include the compilation of the code. */
const WARM_MOMENTS = 200
const ROUNDS = 5
/** Less than two decoded blocks: every random moment reads its events from the file. */
const LITTLE_MEMORY_BYTES = 1024 * 1024
const SLIDER_STEP_NS = 5_000_000_000n

const events = Number(values.events)
const moments = Number(values.moments)
const random = seededRandom(11)
const lake = await openTestLake()
try {
  for (let from = 0; from < events; from += BATCH) {
    const l2Events = Array.from({ length: Math.min(BATCH, events - from) }, (_value, at) => someEvent(from + at))
    await storeAtOnce(lake.deps.pool, [{ instrumentId: INSTRUMENT.instrumentId, trades: [], l2Events }])
  }
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  await lake.seal({ instrumentId: INSTRUMENT.instrumentId, day: DAY, channel: 'l2_event', isDropped: true })
  const start = dayStart(DAY)
  const someMoments = (length: number) =>
    Array.from({ length }, () => start + BigInt(Math.floor(random() * Number(DAY_NS / 1_000n))) * 1_000n)
  const uncached = { ...lake.deps, lake: createLake(lake.deps.pool, lake.deps.lake.store, LITTLE_MEMORY_BYTES) }
  await measure(uncached, someMoments(WARM_MOMENTS))
  const places = someMoments(moments)
  const slider = places
    .slice(0, 10)
    .flatMap((place) => Array.from({ length: moments / 10 }, (_value, step) => place + BigInt(step) * SLIDER_STEP_NS))
  const result = {
    at: new Date().toISOString(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    day: { events, levelsPerSide: LEVELS_PER_SIDE, levelsPerUpdate: LEVELS_PER_UPDATE },
    random: await measure(uncached, places),
    slider: await measure(lake.deps, slider),
  }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  process.stderr.write(`${JSON.stringify(result, null, 2)}\n`)
} finally {
  await lake.close()
}

/**
 * CPU of this process in milliseconds, all threads. Of each moment the median of several rounds: a collection of garbage
 * and the compilation of a function fall on moments by chance.
 */
async function measure(deps: Deps, places: readonly bigint[]) {
  const costs = places.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const index of places.keys()) {
      const before = process.cpuUsage()
      const { book } = await readBook(deps, INSTRUMENT, places[index] ?? 0n)
      book.top(DEPTH)
      const { user, system } = process.cpuUsage(before)
      costs[index]?.push((user + system) / 1_000)
    }
  }
  const moments = costs.map((of) => quantile(of, 0.5))
  const [p50CpuMs, p95CpuMs, maxCpuMs] = [0.5, 0.95, 1].map((share) => quantile(moments, share))
  return {
    moments: places.length,
    rounds: ROUNDS,
    p50CpuMs,
    p95CpuMs,
    maxCpuMs,
    maxOfOneRoundMs: quantile(costs.flat(), 1),
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
}

function someEvent(number: number): L2Record {
  const tsEvent = String(dayStart(DAY) + (DAY_NS * BigInt(number)) / BigInt(events))
  const updateId = String(50_000_000_000 + number)
  const ids = { venueFirstId: updateId, venueLastId: updateId, venuePrevId: null }
  const levels = number === 0 ? wholeSide : changes
  return {
    sourceId: updateId,
    tsEvent,
    tsRecv: tsEvent,
    flags: 0,
    depthLimit: null,
    gap: null,
    ...ids,
    type: number === 0 ? 'snapshot' : 'update',
    bids: levels(-1),
    asks: levels(1),
  }
}

function wholeSide(direction: number): Level[] {
  return Array.from({ length: LEVELS_PER_SIDE }, (_value, steps) => [
    priceOf(direction, steps),
    decimal(random() * 5, 5),
  ])
}

/** Most of them near the best price; a third removes a level. */
function changes(direction: number): Level[] {
  return Array.from({ length: LEVELS_PER_UPDATE }, () => [
    priceOf(direction, Math.floor(random() ** 3 * LEVELS_PER_SIDE)),
    random() < 1 / 3 ? '0' : decimal(random() * 5, 5),
  ])
}

function priceOf(direction: number, steps: number): string {
  return decimal(60_000 + direction * (steps + 1) * 0.01, 2)
}

/** Canonical: without trailing zeros. */
function decimal(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}
