import { withoutCancellation } from '@tapeline/database/cancel'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { type RegisteredInstrument, SIM_VENUE } from '../instruments/instrument.ts'
import { readPage } from './read-page.ts'
import type { RenderedPage } from './render-page.ts'
import { formatTimeAs, headersOf } from './render-record.ts'
import { renderTradeWith } from './render-trade.ts'
import type { Row } from './record-queries.ts'
import type { Scan } from './scan.ts'

/** The newest simulated trades, for anyone: the response is built at most four times a second for all callers. */
export type Samples = {
  /** Newest first. */
  trades: (symbol: string) => Promise<readonly SampleTrade[]>
  page: (symbol: string, requestId: string) => Promise<RenderedPage>
  symbols: () => Promise<string[]>
}

const TRADES_MAX = 160
const AGE_MAX_MS = 250

export type SampleTrade = { sequence: number; json: string }
type Sample = { trades: SampleTrade[]; tail: string }

export function createSamples(deps: Deps): Samples {
  const cache = new Map<string, { atMs: number; sample: Promise<Sample> }>()

  async function sampleOf(symbol: string): Promise<Sample> {
    const instruments = await simulated(deps)
    const instrument = instruments.find((one) => one.symbol === symbol)
    if (instrument === undefined) throw unknownSymbol(symbol, instruments)
    const nowMs = performance.now()
    const last = cache.get(symbol)
    const isFresh = last !== undefined && nowMs - last.atMs < AGE_MAX_MS
    const sample = isFresh ? last.sample : withoutCancellation(() => makeSample(deps, instrument, instruments))
    if (!isFresh) {
      cache.set(symbol, { atMs: nowMs, sample })
      sample.catch(() => cache.delete(symbol))
    }
    return sample
  }

  return {
    trades: async (symbol) => (await sampleOf(symbol)).trades,
    async page(symbol, requestId) {
      const { trades, tail } = await sampleOf(symbol)
      const data = trades.map(({ json }) => json).join(',')
      return { json: `{"data":[${data}],${tail},"request_id":${JSON.stringify(requestId)}}`, rows: trades.length }
    },
    async symbols() {
      return (await simulated(deps)).map(({ symbol }) => symbol)
    },
  }
}

async function simulated({ instruments }: Deps): Promise<RegisteredInstrument[]> {
  return (await instruments.list()).filter(({ venue }) => venue === SIM_VENUE)
}

/** The response body without its request id. */
async function makeSample(deps: Deps, instrument: RegisteredInstrument, all: RegisteredInstrument[]): Promise<Sample> {
  const filter = { order: 'desc', time_format: 'rfc3339' } as const
  const scan: Scan = { channel: 'trade', instrumentIds: [instrument.instrumentId], filter, after: undefined }
  const { rows, hasMore } = await readPage(deps, scan, TRADES_MAX)
  const render = renderTradeWith({
    headers: headersOf([instrument]),
    formatTime: formatTimeAs(filter.time_format),
    hasConditions: false,
  })
  const symbols = all.map(({ symbol }) => symbol)
  const tail = JSON.stringify({ symbol: instrument.symbol, symbols, has_more: hasMore })
  const trades = rows.map((row) => ({ sequence: sequenceOfRow(row), json: render(row) }))
  return { trades, tail: tail.slice(1, -1) }
}

function unknownSymbol(symbol: string, all: RegisteredInstrument[]): AppError {
  const symbols = all.map((one) => one.symbol).join(', ')
  const message = `There is no sample of ${symbol}. Available: ${symbols}.`
  return new AppError('symbol.unknown', message, { errors: [{ field: '/symbol', message }] })
}

/** The second column of every row. */
function sequenceOfRow([, sequence]: Row): number {
  return Number(sequence)
}
