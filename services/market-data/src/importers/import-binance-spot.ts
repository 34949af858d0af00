import { registerInstrument } from '../instruments/register-instrument.ts'
import { FLAGS, type L2Record } from '../store/record.ts'
import { type BinanceFrame, parseBinanceLine } from './binance-frames.ts'
import { binanceInstrument } from './binance-symbol.ts'
import { type BookJoin, type BookUpdate, createBookJoin } from './book-join.ts'
import { ImportProblem } from './import-problem.ts'
import { count, createWriter, describeAdded, type ImportDeps, type ImportResult, type Writer } from './import-run.ts'
import { isBookStoredUpTo } from './importer-queries.ts'
import { readLines } from './read-lines.ts'

/** What is carried from one file to the next: a recording may be cut anywhere. */
export type BinanceState = {
  venueSymbol: string | undefined
  instrumentId: number
  join: BookJoin
  hasSeenUpdate: boolean
}

export function newBinanceState(): BinanceState {
  return { venueSymbol: undefined, instrumentId: 0, join: createBookJoin(FLAGS.replayed), hasSeenUpdate: false }
}

type FileRun = {
  deps: ImportDeps
  file: string
  state: BinanceState
  writer: Writer
  early: BinanceFrame[]
  trades: number
  l2Events: number
}

/** Trades and book messages of one recorded symbol, `local_ns {frame}` per line. */
export async function importBinanceSpot(deps: ImportDeps, file: string, state: BinanceState): Promise<ImportResult> {
  const run: FileRun = { deps, file, state, writer: createWriter(deps), early: [], trades: 0, l2Events: 0 }
  const before = state.join.counts()
  let bytes = 0
  let line = 0
  for await (const text of readLines(file, (read) => (bytes = read))) {
    line += 1
    if (text === '') continue
    await takeFrame(run, parse(file, line, text), line)
    deps.progress.advance(bytes, line)
  }
  await run.writer.flush()
  if (line === 0) throw new ImportProblem(file, undefined, 'is empty')
  return resultOf(run, before)
}

function parse(file: string, line: number, text: string): BinanceFrame {
  try {
    return parseBinanceLine(text)
  } catch (error) {
    throw new ImportProblem(file, line, error instanceof Error ? error.message : 'cannot be read')
  }
}

async function takeFrame(run: FileRun, frame: BinanceFrame, line: number): Promise<void> {
  const { state } = run
  if (frame.kind === 'other') return
  if (frame.kind === 'snapshot') {
    await writeL2(run, state.join.snapshot(frame.snapshot))
    return
  }
  await knowSymbol(run, frame.venueSymbol, line)
  if (frame.kind === 'update') {
    await continueStored(run, frame.update)
    await writeL2(run, state.join.update(frame.update))
    return
  }
  run.trades += 1
  await run.writer.write({ instrumentId: state.instrumentId, trades: [frame.trade], l2Events: [] })
}

async function knowSymbol({ deps, file, state }: FileRun, venueSymbol: string, line: number): Promise<void> {
  if (state.venueSymbol === venueSymbol) return
  if (state.venueSymbol !== undefined) {
    throw new ImportProblem(file, line, `is about ${venueSymbol}; import it apart from ${state.venueSymbol}`)
  }
  const spec = binanceInstrument(venueSymbol)
  if (spec === undefined) throw new ImportProblem(file, line, `the quote currency of ${venueSymbol} is not known`)
  state.venueSymbol = venueSymbol
  state.instrumentId = await registerInstrument(deps.db, spec)
}

/** A file that begins where the stored book ends needs no snapshot of its own. */
async function continueStored({ deps, state }: FileRun, update: BookUpdate): Promise<void> {
  if (state.hasSeenUpdate) return
  state.hasSeenUpdate = true
  const previousId = update.firstId - 1
  const isStored = await isBookStoredUpTo(deps.db, {
    instrumentId: state.instrumentId,
    lastUpdateId: String(previousId),
    before: update.tsEvent,
  })
  if (isStored) state.join.continueAfter(previousId)
}

async function writeL2(run: FileRun, l2Events: L2Record[]): Promise<void> {
  if (l2Events.length === 0) return
  run.l2Events += l2Events.length
  await run.writer.write({ instrumentId: run.state.instrumentId, trades: [], l2Events })
}

function resultOf(
  { file, state, writer, trades, l2Events }: FileRun,
  before: ReturnType<BookJoin['counts']>,
): ImportResult {
  const now = state.join.counts()
  const snapshots = now.snapshots - before.snapshots
  const updates = now.updates - before.updates
  const lines = [
    describeAdded('trades', trades, writer.added.trades),
    describeAdded('book events', l2Events, writer.added.l2Events),
    `  ${count(snapshots)} snapshots, ${count(updates)} updates, ${count(now.gaps - before.gaps)} gaps; ` +
      `${count(now.dropped - before.dropped)} updates older than their snapshot were dropped`,
  ]
  if (now.waiting > 0) lines.push(`  ${count(now.waiting)} updates wait for a snapshot and were not stored`)
  return { file, lines, found: trades + l2Events, added: writer.added.trades + writer.added.l2Events }
}
