import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { readBook } from '../src/book/read-book.ts'
import { createCheckpointWriter } from '../src/book/write-checkpoints.ts'
import { dayStart } from '../src/nanoseconds.ts'
import type { L2Record, Level } from '../src/store/record.ts'
import { storeAtOnce } from '../src/store/store-records.ts'
import { openTestLake } from '../test/lake/lake.fixture.ts'

// npm run bench:books: CPU of a book at a moment of a day that is sealed into the lake, at random moments and at
// neighbouring ones as a slider asks for them.

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
/** The first ones show how the code is compiled. */
const WARM_MOMENTS = 200
const SLIDER_STEP_NS = 5_000_000_000n

let collections = 0
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] })
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
  await measure(someMoments(WARM_MOMENTS))
  const places = someMoments(moments)
  const slider = places
    .slice(0, 10)
    .flatMap((place) => Array.from({ length: moments / 10 }, (_value, step) => place + BigInt(step) * SLIDER_STEP_NS))
  const result = {
    at: new Date().toISOString(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    day: { events, levelsPerSide: LEVELS_PER_SIDE, levelsPerUpdate: LEVELS_PER_UPDATE },
    random: await measure(places),
    slider: await measure(slider),
  }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  process.stderr.write(`${JSON.stringify(result, null, 2)}\n`)
} finally {
  await lake.close()
}

/** CPU of this process in milliseconds, all threads; `maxWithoutGcCpuMs`: of moments in which no garbage was collected. */
async function measure(places: readonly bigint[]) {
  const costs: number[] = []
  let maxWithoutGc = 0
  for (const at of places) {
    const collectionsBefore = collections
    const before = process.cpuUsage()
    const { book } = await readBook(lake.deps, INSTRUMENT, at)
    book.top(DEPTH)
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000)
    // The observer is called in a later turn.
    await delay(1)
    if (collections === collectionsBefore) maxWithoutGc = Math.max(maxWithoutGc, costs.at(-1) ?? 0)
  }
  const sorted = costs.toSorted((one, other) => one - other)
  const quantile = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
  const maxWithoutGcCpuMs = Number(maxWithoutGc.toFixed(1))
  const moments = costs.length
  return { moments, p50CpuMs: quantile(0.5), p95CpuMs: quantile(0.95), maxCpuMs: quantile(1), maxWithoutGcCpuMs }
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
