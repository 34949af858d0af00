import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { createDeps } from '../src/deps.ts'
import { importFiles } from '../src/importers/import-files.ts'
import { kinds } from '../src/importers/kinds.ts'
import { prepareFiles } from '../src/importers/prepare-files.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { migrations } from '../src/migrations/all.ts'
import { dayName } from '../src/nanoseconds.ts'
import type { Tables } from '../src/tables.ts'

// How many rows a second does an import of past days write into the lake, and into PostgreSQL? Trades as Binance publishes
// them, and recorded depth updates of 20 levels.

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '4' },
    rows: { type: 'string', default: '500000' },
    events: { type: 'string', default: '200000' },
    out: { type: 'string', default: 'docs/benchmarks/import.json' },
  },
})
const FIRST_DAY = 19_900
const DAY_MS = 86_400_000
const ROWS_PER_WRITE = 10_000
const LEVELS = 20
type Input = { kind: string | undefined; rows: number; levels: number; write: () => Promise<string[]> }
const [days, rowsPerDay, eventsPerDay] = [Number(values.days), Number(values.rows), Number(values.events)]
const folder = await mkdtemp(join(tmpdir(), 'tapeline-import-bench-'))
const database = await openTestDatabase<Tables>(migrations)

try {
  const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters', {
    store: folderStore(join(folder, 'lake')),
  })
  const measured = []
  const trades = (symbol: string, count: number): Input => ({
    kind: undefined,
    rows: count * rowsPerDay,
    levels: 0,
    write: () => eachDay(count, (day) => writeDay(symbol, day)),
  })
  const book: Input = {
    kind: 'binance-spot',
    rows: 2 * eventsPerDay,
    levels: LEVELS,
    write: () => eachDay(2, (day) => writeBookDay('SOLUSDT', day)),
  }
  for (const [into, input, lakeBefore] of [
    ['lake', trades('BTCUSDT', days), new Date()],
    ['lake', book, new Date()],
    ['postgresql', trades('ETHUSDT', 1), undefined],
  ] as const) {
    if (input.rows === 0) continue
    const kind = kinds.find(({ name }) => name === input.kind)
    const files = await prepareFiles(kinds, kind, await input.write())
    const startedMs = performance.now()
    const before = process.cpuUsage()
    const silent = { advance: () => {}, end: () => {} }
    const reports = { progressOf: () => silent, onFile: () => {} }
    const summaries = await importFiles({ ...deps, lakeBefore }, files, reports)
    const { user, system } = process.cpuUsage(before)
    const rows = summaries.reduce((sum, { trades: one, l2_events: other }) => sum + one.added + other.added, 0)
    if (rows !== input.rows) throw new Error(`${rows} rows were stored`)
    const seconds = (performance.now() - startedMs) / 1_000
    measured.push({
      into,
      rows,
      ...(input.levels > 0 && { levelsPerRow: input.levels }),
      seconds: Number(seconds.toFixed(2)),
      rowsPerSecond: Math.round(rows / seconds),
      cpuMicrosPerRow: Number(((user + system) / rows).toFixed(2)),
      rssMb: Math.round(process.memoryUsage().rss / 1024 / 1024),
    })
    process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
  }
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    load: loadavg()[0],
    node: process.version,
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify({ at: new Date().toISOString(), machine, measured }, null, 2)}\n`)
} finally {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
}

/** A day's file as data.binance.vision has it. */
async function writeDay(symbol: string, day: number): Promise<string> {
  const date = dayName(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  const path = join(folder, `${symbol}-trades-${date}.csv`)
  const random = seededRandom(day)
  const file = await open(path, 'w')
  let cents = 6_183_700
  for (let row = 0; row < rowsPerDay; row += ROWS_PER_WRITE) {
    const lines: string[] = []
    for (let at = row; at < Math.min(rowsPerDay, row + ROWS_PER_WRITE); at += 1) {
      cents += Math.floor(random() * 21) - 10
      const size = 1 + Math.floor(random() ** 4 * 1_000_000)
      const timeMs = day * DAY_MS + Math.floor((at / rowsPerDay) * DAY_MS)
      const [price, quantity] = [(cents / 100).toFixed(8), (size / 100_000).toFixed(8)]
      const quote = ((cents * size) / 10_000_000).toFixed(8)
      lines.push(`${day * 10_000_000 + at},${price},${quantity},${quote},${timeMs},${random() < 0.5},true\n`)
    }
    await file.write(lines.join(''))
  }
  await file.close()
  return path
}

/** A snapshot and depth updates as they were recorded: `local_ns {frame}` a line. */
async function writeBookDay(symbol: string, day: number): Promise<string> {
  const path = join(folder, `${symbol}-${day}.frames`)
  const random = seededRandom(day)
  const file = await open(path, 'w')
  let cents = 15_000_00
  const levels = (count: number, sign: number) =>
    Array.from({ length: count }, (_value, depth) => {
      const price = cents + sign * (1 + 3 * depth + Math.floor(random() * 3))
      return [
        (price / 100).toFixed(8),
        random() < 0.2 ? '0.00000000' : (Math.floor(random() ** 4 * 1e6) / 1e3).toFixed(8),
      ]
    })
  const lineAt = (event: number, frame: object) =>
    `${day * DAY_MS + Math.floor((event / eventsPerDay) * DAY_MS)}000000 ${JSON.stringify(frame)}\n`
  const start = day * 10_000_000
  await file.write(lineAt(0, { lastUpdateId: start, bids: levels(500, -1), asks: levels(500, 1) }))
  for (let row = 1; row < eventsPerDay; row += ROWS_PER_WRITE) {
    const lines: string[] = []
    for (let at = row; at < Math.min(eventsPerDay, row + ROWS_PER_WRITE); at += 1) {
      cents += Math.floor(random() * 21) - 10
      const [bids, asks] = [levels(LEVELS / 2, -1), levels(LEVELS / 2, 1)]
      const E = day * DAY_MS + Math.floor((at / eventsPerDay) * DAY_MS)
      const data = { e: 'depthUpdate', E, s: symbol, U: start + at, u: start + at, b: bids, a: asks }
      lines.push(lineAt(at, { stream: `${symbol.toLowerCase()}@depth`, data }))
    }
    await file.write(lines.join(''))
  }
  await file.close()
  return path
}

async function eachDay(count: number, write: (day: number) => Promise<string>): Promise<string[]> {
  const paths: string[] = []
  for (let day = 0; day < count; day += 1) paths.push(await write(FIRST_DAY + day))
  return paths
}
