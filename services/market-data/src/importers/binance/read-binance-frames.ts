import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS, type L2Record } from '../../store/record.ts'
import { ImportProblem } from '../import-problem.ts'
import { isBookStored } from '../is-book-stored.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import type { Head } from '../sources/read-head.ts'
import { count } from '../summary.ts'
import { type BinanceMarket, marketsOfLine, parseBinanceLine } from '../../venues/binance/binance-frames.ts'
import { binanceInstrument } from '../../venues/binance/binance-symbol.ts'
import { type BookJoin, createBookJoin } from '../../venues/book-join.ts'
import type { BookUpdate } from '../../venues/book-messages.ts'
import { createGapEnds, type GapEnds } from '../../venues/gap-ends.ts'

/** Carried from one file to the next: a recording may be cut anywhere. */
type Recording = {
  instrument: InstrumentSpec | undefined
  join: BookJoin
  gapEnds: GapEnds
  hasSeenUpdate: boolean
  /** Book events from before the first frame that names the symbol; a spot snapshot does not. */
  unnamed: L2Record[]
}

/** At least one line is a frame of the market, and none of another. */
export function areFramesOf(market: BinanceMarket, { lines }: Head): boolean {
  const markets = lines.map(marketsOfLine).filter((found) => found !== undefined)
  return markets.length > 0 && markets.every((found) => found.includes(market))
}

/** Trades and book messages of one recorded symbol, `local_ns {frame}` per line. */
export function createFramesReader(market: BinanceMarket): ReadFile {
  const join = createBookJoin({ flags: FLAGS.replayed })
  const recording: Recording = {
    instrument: undefined,
    join,
    gapEnds: createGapEnds(),
    hasSeenUpdate: false,
    unnamed: [],
  }
  return async (source, run) => {
    const before = recording.join.counts()
    await readByLine(source, run, (line, number) => {
      const frame = parseBinanceLine(line, market)
      if (frame.kind === 'other' || frame.kind === 'no-trade') return
      if (frame.kind === 'snapshot') return writeBook(run, recording, recording.join.snapshot(frame.snapshot))
      const instrument = instrumentOf(recording, { market, venueSymbol: frame.venueSymbol, file: source.file, number })
      if (frame.kind === 'trade') return run.trade(instrument, frame.trade)
      if (recording.hasSeenUpdate) return writeBook(run, recording, recording.join.update(frame.update))
      recording.hasSeenUpdate = true
      return takeFirstUpdate(run, recording, frame.update)
    })
    describeBook(run, recording.join, before)
  }
}

type Named = { market: BinanceMarket; venueSymbol: string; file: string; number: number }

function instrumentOf(recording: Recording, { market, venueSymbol, file, number }: Named): InstrumentSpec {
  const recorded = recording.instrument
  if (recorded?.venueSymbol === venueSymbol) return recorded
  if (recorded !== undefined) {
    throw new ImportProblem(file, number, `is about ${venueSymbol}; import it apart from ${recorded.venueSymbol}`)
  }
  const spec = binanceInstrument(venueSymbol, market)
  if (spec === undefined) throw new ImportProblem(file, number, `${venueSymbol} is not a symbol of ${market}`)
  recording.instrument = spec
  return spec
}

/** A file that begins where the stored book ends needs no snapshot. */
async function takeFirstUpdate(run: FileRun, recording: Recording, update: BookUpdate): Promise<void> {
  const previousId = update.previousId ?? update.firstId - 1
  const { instrument, join } = recording
  const isStored =
    instrument !== undefined &&
    (await isBookStored(run.deps, {
      venue: instrument.venue,
      symbol: instrument.symbol,
      lastUpdateId: String(previousId),
      before: update.tsEvent,
    }))
  if (isStored) join.continueAfter(previousId)
  writeBook(run, recording, join.update(update))
}

function writeBook(run: FileRun, recording: Recording, events: L2Record[]): void {
  const { instrument, unnamed, gapEnds } = recording
  unnamed.push(...events.map(gapEnds.take))
  if (instrument === undefined) return
  for (const event of unnamed.splice(0)) run.l2Event(instrument, event)
}

function describeBook(run: FileRun, join: BookJoin, before: ReturnType<BookJoin['counts']>): void {
  const now = join.counts()
  const [snapshots, updates] = [now.snapshots - before.snapshots, now.updates - before.updates]
  if (snapshots + updates > 0) {
    const dropped = count(now.dropped - before.dropped)
    run.note(`${count(snapshots)} snapshots, ${count(updates)} updates; ${dropped} updates older than their snapshot`)
  }
  if (now.waiting > 0) run.note(`${count(now.waiting)} updates without a snapshot before them were not stored`)
}
