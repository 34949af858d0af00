import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS, type TradeRecord } from '../../store/record.ts'
import { positiveOf, timeOf } from '../csv.ts'
import { ImportProblem } from '../import-problem.ts'
import type { ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import type { Head } from '../sources/read-head.ts'
import type { BinanceMarket } from '../../venues/binance/binance-frames.ts'
import { binanceInstrument } from '../../venues/binance/binance-symbol.ts'

/** `BTCUSDT-trades-2024-08-08.csv`, `BTCUSD_PERP-aggTrades-2024-08.csv`: only the name contains the symbol. */
const NAME = /^([A-Z0-9]+(?:_(?:PERP|\d{6}))?)-(trades|aggTrades)-\d{4}-\d{2}(?:-\d{2})?\.csv$/
const SHAPES = {
  spotTrades:
    /^\d{1,19},\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{13}(?:\d{3})?,(?:true|false),(?:true|false)$/i,
  spotAggTrades:
    /^\d{1,19},\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{1,19},\d{1,19},\d{13}(?:\d{3})?,(?:true|false),(?:true|false)$/i,
  futuresTrades:
    /^\d{1,19},\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{13}(?:\d{3})?,(?:true|false)$/i,
  futuresAggTrades:
    /^\d{1,19},\d{1,20}(?:\.\d{1,18})?,\d{1,20}(?:\.\d{1,18})?,\d{1,19},\d{1,19},\d{13}(?:\d{3})?,(?:true|false)$/i,
}
type Shape = keyof typeof SHAPES
const HEADER = /^(?:agg_trade_)?id,/i
/** The published quote quantity is rounded. */
const QUOTE_TOLERANCE = 1e-4

/** The market is determined by columns, header and values; if the file name contradicts them, the result is undefined. */
export function isCsvOf(market: BinanceMarket, { name, lines }: Head): boolean {
  const found = marketOfColumns(lines)
  if (found === undefined || !found.includes(market)) return false
  const symbol = NAME.exec(name)?.[1]
  return symbol === undefined ? found.length === 1 : binanceInstrument(symbol, market) !== undefined
}

function marketOfColumns(lines: string[]): BinanceMarket[] | undefined {
  const header = HEADER.test(lines[0] ?? '') ? lines[0] : undefined
  const rows = header === undefined ? lines : lines.slice(1)
  const shape = shapeOf(rows[0])
  if (shape === undefined || !rows.every((row) => SHAPES[shape].test(row))) return undefined
  if (shape === 'futuresAggTrades') return ['usdm', 'coinm']
  return [shape === 'futuresTrades' ? marketOfFutures(header, rows) : 'spot']
}

function marketOfFutures(header: string | undefined, rows: string[]): BinanceMarket {
  const isUsdm = header === undefined ? rows.every(isQuotedInMoney) : !/,base_?qty,/i.test(header)
  return isUsdm ? 'usdm' : 'coinm'
}

function shapeOf(row: string | undefined): Shape | undefined {
  const shapes: Shape[] = ['spotTrades', 'spotAggTrades', 'futuresTrades', 'futuresAggTrades']
  return row === undefined ? undefined : shapes.find((shape) => SHAPES[shape].test(row))
}

/** The fourth column of USD-M is price × quantity; that of COIN-M is an amount of the base. */
function isQuotedInMoney(row: string): boolean {
  const [, price = '', size = '', quote = ''] = row.split(',')
  const product = Number(price) * Number(size)
  return Math.abs(product - Number(quote)) <= product * QUOTE_TOLERANCE
}

/** Trades and aggregate trades as published on data.binance.vision. */
export function createCsvReader(market: BinanceMarket): ReadFile {
  return (source, run) => {
    const { instrument, isAggregate } = openedBy(run.head, market, source.file)
    const shape: Shape =
      market === 'spot'
        ? isAggregate
          ? 'spotAggTrades'
          : 'spotTrades'
        : isAggregate
          ? 'futuresAggTrades'
          : 'futuresTrades'
    return readByLine(source, run, (line, number) => {
      if (number === 1 && HEADER.test(line)) return
      if (!SHAPES[shape].test(line)) throw new Error(`is not a row of ${isAggregate ? 'aggregate trades' : 'trades'}`)
      run.trade(instrument, isAggregate ? aggregateOf(line) : tradeOf(line))
    })
  }
}

function openedBy(
  { name }: Head,
  market: BinanceMarket,
  file: string,
): { instrument: InstrumentSpec; isAggregate: boolean } {
  const [, symbol = '', type] = NAME.exec(name) ?? []
  const instrument = binanceInstrument(symbol, market)
  if (instrument === undefined) {
    throw new ImportProblem(file, undefined, `${name} is not named like BTCUSDT-trades-2024-08-08.csv`)
  }
  return { instrument, isAggregate: type === 'aggTrades' }
}

function tradeOf(line: string): TradeRecord {
  const [id = '', price, size, , time, isBuyerMaker] = line.split(',')
  return { ...recordOf([price, size, time, isBuyerMaker]), sourceId: id, hasTradeId: true, conditions: [] }
}

/** Several trades of one taker at one price: its id is not a trade id, and must not collide with one. */
function aggregateOf(line: string): TradeRecord {
  const [id = '', price, size, first = '', last = '', time, isBuyerMaker] = line.split(',')
  const fields = recordOf([price, size, time, isBuyerMaker])
  return { ...fields, sourceId: `a${id}`, hasTradeId: false, conditions: [`aggregate:${first}-${last}`] }
}

/** Files contain no receive time. `isBuyerMaker` means that the taker sells. */
function recordOf([price, size, time, isBuyerMaker]: (string | undefined)[]) {
  const tsEvent = timeOf('time', time, ['ms', 'us'])
  return {
    tsEvent,
    tsRecv: tsEvent,
    price: positiveOf('price', price),
    size: positiveOf('quantity', size),
    side: isBuyerMaker?.toLowerCase() === 'true' ? ('sell' as const) : ('buy' as const),
    sideSource: 'venue' as const,
    flags: FLAGS.replayed | FLAGS.bad_ts_recv,
  }
}
