import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import { changesOf, createCoinbaseTimes, matchOf } from '../../venues/coinbase/coinbase-messages.ts'
import { field, rowsOf, textField } from '../../venues/json.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { createBookWriter, invalidateBooksOnRejection } from './book-writer.ts'
import { parseRecordedLine, type RecordedFrame } from './recorded-frame.ts'

const USED = ['snapshot', 'l2update', 'match', 'last_match']

export function isCoinbaseMessage(message: unknown): boolean {
  const isTyped = typeof field(message, 'type') === 'string'
  return isTyped && (field(message, 'product_id') !== undefined || field(message, 'channels') !== undefined)
}

type Market = { instrument: InstrumentSpec; writer: ReturnType<typeof createBookWriter> }

/** Frames of the Exchange feed: level2 and matches. */
export async function readCoinbase(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const markets = new Map<string, Market>()
  const timeOf = createCoinbaseTimes()
  await readByLine(source, invalidateBooksOnRejection(run, markets), (line) => {
    const frame = parseRecordedLine(line)
    const type = field(frame?.message, 'type')
    if (frame === undefined || typeof type !== 'string' || !USED.includes(type)) return
    const { message, tsRecv } = frame
    const product = textField(message, 'product_id')
    const market = markets.get(product) ?? openMarket(run, product)
    markets.set(product, market)
    if (type === 'snapshot') return takeSnapshot(market, frame)
    const at = { ...timeOf(product, message, tsRecv), tsRecv }
    if (type === 'l2update')
      market.writer.write({ type: 'update', sourceId: `u${tsRecv}`, ...at, ...changesOf(message) })
    else run.trade(market.instrument, matchOf(message, { ...at, flags: FLAGS.replayed | at.flags }))
  })
  for (const { writer } of markets.values()) writer.end()
}

function openMarket(run: FileRun, product: string): Market {
  const instrument = vendorInstrument('coinbase', product)
  if (instrument === undefined) throw new Error(`the symbol ${product} cannot be translated`)
  return { instrument, writer: createBookWriter(run, instrument) }
}

/** A snapshot carries no time: its receipt time is used for both. */
function takeSnapshot({ writer }: Market, { tsRecv, message }: RecordedFrame): void {
  const [bids, asks] = [rowsOf(message, 'bids'), rowsOf(message, 'asks')]
  writer.write({ type: 'snapshot', sourceId: `s${tsRecv}`, tsEvent: tsRecv, tsRecv, bids, asks })
}
