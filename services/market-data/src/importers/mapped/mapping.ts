import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ImportProblem } from '../import-problem.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Decimal = Type.String({ pattern: '^\\d{1,20}(\\.\\d{1,18})?$' })
/** BASE-QUOTE, BASE-QUOTE-PERP or BASE-QUOTE-YYYYMMDD. */
const Symbol = Type.String({ pattern: '^[A-Z0-9.]{1,20}-[A-Z0-9]{1,10}(-(PERP|\\d{8}))?$' })
const closed = { additionalProperties: false } as const

const Time = Type.Object(
  {
    column: Name,
    unit: Type.Union([
      Type.Literal('s'),
      Type.Literal('ms'),
      Type.Literal('us'),
      Type.Literal('ns'),
      Type.Literal('rfc3339'),
    ]),
  },
  closed,
)
const Side = Type.Object(
  {
    column: Name,
    buy: Type.Array(Name, { minItems: 1 }),
    sell: Type.Array(Name, { minItems: 1 }),
    of: Type.Optional(Type.Union([Type.Literal('taker'), Type.Literal('maker')])),
  },
  closed,
)
const Instrument = Type.Object(
  {
    size_unit: Type.Optional(Type.Union([Type.Literal('base'), Type.Literal('contract')])),
    tick: Type.Optional(Decimal),
    lot: Type.Optional(Decimal),
    multiplier: Type.Optional(Decimal),
    aliases: Type.Optional(Type.Array(Name)),
    valid_from: Type.Optional(Type.String({ format: 'date-time' })),
    valid_to: Type.Optional(Type.String({ format: 'date-time' })),
  },
  closed,
)
const common = {
  venue: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
  symbol: Type.Union([Symbol, Type.Object({ column: Name, names: Type.Record(Name, Symbol) }, closed)]),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  columns: Type.Optional(Type.Array(Name, { minItems: 1 })),
  ts_event: Time,
  ts_recv: Type.Optional(Time),
  id: Type.Optional(Name),
  instrument: Type.Optional(Instrument),
}
const TradeMapping = Type.Object(
  { ...common, records: Type.Literal('trades'), price: Name, size: Name, side: Type.Optional(Side) },
  closed,
)
const QuoteMapping = Type.Object(
  { ...common, records: Type.Literal('quotes'), bid_price: Name, bid_size: Name, ask_price: Name, ask_size: Name },
  closed,
)

export type TradeMapping = Static<typeof TradeMapping>
export type QuoteMapping = Static<typeof QuoteMapping>
/** Assigns the columns of a CSV or Parquet file to the fields of records. */
export type Mapping = TradeMapping | QuoteMapping

export async function readMapping(file: string): Promise<Mapping> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw new ImportProblem(file, undefined, 'there is no such mapping file')
  const value = parseJson(text, file)
  if (Value.Check(TradeMapping, value) || Value.Check(QuoteMapping, value)) return value
  throw new ImportProblem(file, undefined, `is not a valid mapping: ${faultOf(value)}`)
}

function faultOf(value: unknown): string {
  const isQuotes = typeof value === 'object' && value !== null && 'records' in value && value.records === 'quotes'
  const [error] = Value.Errors(isQuotes ? QuoteMapping : TradeMapping, value)
  if (error === undefined) return 'it is invalid'
  if (error.keyword === 'boolean') return `${error.instancePath} is not a field of a mapping`
  return `${error.instancePath || 'the document'} ${error.message}`
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportProblem(file, undefined, 'is not valid JSON')
  }
}
