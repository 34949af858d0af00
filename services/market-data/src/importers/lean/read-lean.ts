import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { ImportProblem } from '../import-problem.ts'
import type { FileRun, Kind } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { type LeanDay, parseLeanName, parseLeanQuote, parseLeanTrade, type LeanType } from './lean-rows.ts'
import { newYorkMidnight } from './new-york-midnight.ts'
import { createQuoteBook } from './quote-book.ts'

export const leanKinds: readonly Kind[] = [
  { ...kindOf('trade'), name: 'lean-trade', description: 'LEAN tick trades of a US stock' },
  { ...kindOf('quote'), name: 'lean-quote', description: 'LEAN tick quotes of a US stock' },
]

/** One day of one stock, whose name and rows say whether they are trades or quotes. */
function kindOf(type: LeanType): Pick<Kind, 'isLike' | 'createReader'> {
  return {
    isLike({ name, lines }) {
      const parse = type === 'trade' ? parseLeanTrade : parseLeanQuote
      const fits = (line: string): boolean => isParsed(() => parse(line, 1, { day: '', midnightMs: 0 }))
      return parseLeanName(name)?.type === type && lines.some(fits)
    },
    createReader: () => (source, run) => {
      const { instrument, day } = openDay(run, source.file)
      if (type === 'trade') {
        return readByLine(source, run, (line, row) => run.trade(instrument, parseLeanTrade(line, row, day)))
      }
      const book = createQuoteBook()
      return readByLine(source, run, (line, row) => run.l2Event(instrument, book.apply(parseLeanQuote(line, row, day))))
    },
  }
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

function openDay({ head }: FileRun, file: string): { instrument: InstrumentSpec; day: LeanDay } {
  const name = parseLeanName(head.name)
  if (name === undefined) throw new ImportProblem(file, undefined, `${head.name} is not named like ${EXAMPLE}`)
  const midnightMs = newYorkMidnight(name.day)
  if (midnightMs === undefined) throw new ImportProblem(file, undefined, `${head.name}: there is no day ${name.day}`)
  return { instrument: stockOf(name.ticker), day: { day: name.day, midnightMs } }
}

const EXAMPLE = '20131007_spy_Trade_Tick.csv'

function stockOf(ticker: string): InstrumentSpec {
  return {
    venue: 'us-equity',
    symbol: `${ticker}-USD`,
    venueSymbol: ticker,
    base: ticker,
    quote: 'USD',
    sizeUnit: 'base',
    tsEventPrecision: 'ms',
    kind: 'spot',
  }
}
