import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../src/deps.ts'
import type { FileCounts } from '../src/lake/encoding/encode-day.ts'
import { createEncoder, type Encoder } from '../src/lake/encoding/encoder.ts'
import type { TradeChunk } from '../src/lake/encoding/trade-chunk.ts'
import type { WrittenFile } from '../src/lake/files/write-file.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { objectKey } from '../src/lake/sealing/object-key.ts'
import { storeAtOnce } from '../src/store/store-records.ts'
import {
  FIRST_DAY,
  LAKE_INSTRUMENT,
  SEED,
  TABLE_INSTRUMENT,
  TRADES_PER_SECOND_MAX,
  tradeChunkOfDay,
  tradeSlices,
} from './busy-market.ts'
import type { FilledDay } from './fill-queries.ts'

const BATCH_ROWS = 20_000
const ENCODERS = 2
const LOG_EVERY_MS = 10_000
const JOURNAL = 'filled.jsonl'
const LAKE_SYMBOL = { venue: 'sim', symbol: 'BTC-USDT' }

export type Filled = { days: FilledDay[]; rows: number; bytes: number; seconds: number; cpuSeconds: number }
export type FillOptions = { folder: string; rows: number; log: (line: string) => void }

/**
 * Fills the lake with whole days up to a number of rows: this thread generates trades, two threads encode them. Each
 * finished day is a line of a journal beside the files, so that a killed fill continues after its last day.
 */
export async function fillLake({ folder, rows: rowsTotal, log }: FillOptions): Promise<Filled> {
  mkdirSync(folder, { recursive: true })
  const journal = openJournal(join(folder, JOURNAL))
  const store = folderStore(folder)
  const encoders = Array.from({ length: ENCODERS }, createEncoder)
  const filled = totalsOf(journal.days)
  const progress = createProgress(filled, rowsTotal, log)
  const encoding: Promise<EncodedFile>[] = []
  let day = (filled.days.at(-1)?.day ?? FIRST_DAY - 1) + 1
  let lap = startLap()
  let generated = filled.rows

  async function finish(): Promise<void> {
    const done = await encoding.shift()
    if (done === undefined) return
    const { file, counts } = done
    const key = objectKey({ channel: 'trade', ...LAKE_SYMBOL, day: done.day, sha256: file.sha256 })
    await store.putIfAbsent(key, file.bytes)
    const { sha256, tailBytes, tailSha256 } = file
    const names = { day: done.day, key, bytes: file.bytes.length, sha256, tailBytes, tailSha256, counts }
    const line = { ...names, ...lap() }
    lap = startLap()
    journal.add(line)
    add(filled, line)
    progress(filled)
  }

  for (; generated < rowsTotal; day += 1) {
    const chunk = tradeChunkOfDay(LAKE_INSTRUMENT, day)
    const encoder = encoders[day % ENCODERS]
    if (encoder === undefined) throw new Error('there is no encoder')
    encoding.push(encodeChunk(encoder, { day, chunk, lastSequence: BigInt(generated) }))
    generated += chunk.rows
    // Yields to the event loop, so that the encoder starts before the next day is generated.
    await new Promise(setImmediate)
    if (encoding.length > ENCODERS) await finish()
  }
  while (encoding.length > 0) await finish()
  return filled
}

type EncodedFile = { day: number; file: WrittenFile; counts: FileCounts }
type GeneratedDay = { day: number; chunk: TradeChunk; lastSequence: bigint }

async function encodeChunk(encoder: Encoder, { day, chunk, lastSequence }: GeneratedDay): Promise<EncodedFile> {
  const records = { channel: 'trade', chunks: [chunk] } as const
  const { file, counts } = await encoder.encodeDay({ day, records, stored: undefined, lastSequence, bookEpoch: 0 })
  if (file === undefined) throw new Error(`day ${day} has no trades`)
  return { day, file, counts }
}

function startLap() {
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore)
    return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1e6 }
  }
}

function totalsOf(days: readonly FilledDay[]): Filled {
  const filled: Filled = { days: [], rows: 0, bytes: 0, seconds: 0, cpuSeconds: 0 }
  for (const day of days) add(filled, day)
  return filled
}

function add(filled: Filled, day: FilledDay): void {
  filled.days.push(day)
  filled.rows += Number(day.counts.row_count)
  filled.bytes += day.bytes
  filled.seconds += day.seconds
  filled.cpuSeconds += day.cpuSeconds
}

/** The first days of a filled lake with at least this many rows; all days if there are fewer rows. */
export function firstDays({ days }: Filled, rows: number): Filled {
  const part = totalsOf([])
  for (const day of days) {
    if (part.rows >= rows) break
    add(part, day)
  }
  return part
}

/** An incomplete line is overwritten. */
function openJournal(path: string) {
  const head = JSON.stringify({ seed: SEED, tradesPerSecondMax: TRADES_PER_SECOND_MAX, firstDay: FIRST_DAY })
  if (!existsSync(path)) writeFileSync(path, `${head}\n`)
  const lines = readFileSync(path, 'utf8').split('\n')
  const complete = lines.slice(0, -1)
  if (complete[0] !== head) throw new Error(`${path} is of another market: choose an empty folder`)
  if (lines.at(-1) !== '') writeFileSync(path, complete.map((line) => `${line}\n`).join(''))
  return {
    days: complete.slice(1).map((line): FilledDay => JSON.parse(line)),
    add: (day: FilledDay) => appendFileSync(path, `${JSON.stringify(day)}\n`),
  }
}

function createProgress(before: Filled, rowsTotal: number, log: FillOptions['log']) {
  const startedMs = performance.now()
  const rowsBefore = before.rows
  let loggedMs = startedMs
  return ({ rows, bytes }: Filled) => {
    const nowMs = performance.now()
    if (nowMs - loggedMs < LOG_EVERY_MS) return
    loggedMs = nowMs
    const perSecond = ((rows - rowsBefore) * 1_000) / (nowMs - startedMs)
    const minutes = Math.max(0, (rowsTotal - rows) / perSecond / 60).toFixed(0)
    const share = ((100 * rows) / rowsTotal).toFixed(1)
    log(
      `${rows} rows (${share} %), ${Math.round(perSecond)} rows/s, ${(bytes / rows).toFixed(2)} B/row, ${minutes} min left`,
    )
  }
}

/** Trades of another instrument into PostgreSQL, in batches as an import stores them. */
export async function fillTable(deps: Deps, rowsTotal: number) {
  const startedMs = performance.now()
  let [rows, day, seconds] = [0, FIRST_DAY, 0]
  for (; rows < rowsTotal; day += 1) {
    for (const slice of tradeSlices(TABLE_INSTRUMENT, day)) {
      for (let from = 0; from < slice.length; from += BATCH_ROWS) {
        const batch = { instrumentId: TABLE_INSTRUMENT, trades: slice.slice(from, from + BATCH_ROWS), l2Events: [] }
        rows += (await storeAtOnce(deps.pool, [batch])).trades
      }
      seconds += 3_600
      if (rows >= rowsTotal) break
    }
  }
  return { rows, seconds: (performance.now() - startedMs) / 1_000, spanSeconds: seconds }
}
