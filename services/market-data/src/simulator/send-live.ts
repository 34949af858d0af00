import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested } from '@tapeline/contracts/market-data/events'
import type { Deps } from '../deps.ts'
import { SIM_VENUE } from '../instruments/instrument.ts'
import type { L2Record, TradeRecord } from '../store/record.ts'
import type { Market } from './markets.ts'
import { planRange } from './plan-range.ts'
import type { Random } from './random.ts'
import { recordsBetween, type SecondRange } from './records-between.ts'
import { findPosition, savePosition } from './simulator-queries.ts'

/** A Kafka message: records of one instrument, which is its key. */
export type Message = { key: string; value: string }

export type LiveOptions = {
  random: Random
  markets: readonly Market[]
  historySeconds: number
  newId: () => string
  send: (messages: Message[]) => Promise<unknown>
}

/** Keeps an event well under Kafka's usual limit of a megabyte. */
const STEPS_MAX = 60

/** Generates and sends the seconds that have ended; the plan is saved first, so that a restart can send it again. */
export async function sendLive(deps: Deps, options: LiveOptions): Promise<number> {
  const { markets, historySeconds } = options
  const nowSecond = Math.floor(deps.now().getTime() / 1000)
  const messages: Message[] = []
  for (const market of markets) {
    const position = await findPosition(deps.db, market.instrumentId)
    const latest = position?.latest ?? nowSecond - 2
    const range = planRange({ latest, nowSecond, historySeconds, stepsMax: STEPS_MAX })
    if (range === undefined) continue
    await savePosition(deps.db, market.instrumentId, { ...range, isLive: true })
    messages.push(messageOf(deps, options, market, range))
  }
  if (messages.length > 0) await options.send(messages)
  return messages.length
}

/**
 * Sends the last planned ranges once more: whether they were sent is unknown. The same records come again, and change
 * nothing.
 */
export async function resendLast(deps: Deps, options: LiveOptions): Promise<void> {
  const messages: Message[] = []
  for (const market of options.markets) {
    const position = await findPosition(deps.db, market.instrumentId)
    if (position?.isLive === true) messages.push(messageOf(deps, options, market, position))
  }
  if (messages.length > 0) await options.send(messages)
}

function messageOf(deps: Deps, { random, newId }: LiveOptions, market: Market, range: SecondRange): Message {
  const { trades, l2Events } = recordsBetween(random, market, range)
  const subject = `${SIM_VENUE}:${market.symbol}`
  const event = newEvent(recordsIngested, {
    id: newId(),
    time: deps.now(),
    subject,
    account: null,
    actor: { kind: 'service', service: 'market-data' },
    data: {
      venue: SIM_VENUE,
      symbol: market.symbol,
      trades: trades.map(tradeOf),
      l2_events: l2Events.map(l2EventOf),
    },
  })
  return { key: subject, value: JSON.stringify(event) }
}

function tradeOf({ sourceId, tsEvent, tsRecv, price, size, side, sideSource, hasTradeId }: TradeRecord) {
  const trade_id = hasTradeId ? sourceId : null
  return {
    source_id: sourceId,
    ts_event: tsEvent,
    ts_recv: tsRecv,
    price,
    size,
    side,
    side_source: sideSource,
    trade_id,
  }
}

function l2EventOf({ sourceId, tsEvent, tsRecv, type, bids, asks, venueFirstId, venueLastId, venuePrevId }: L2Record) {
  return {
    source_id: sourceId,
    ts_event: tsEvent,
    ts_recv: tsRecv,
    type,
    bids: bids.map(([price, size]): [string, string] => [price, size]),
    asks: asks.map(([price, size]): [string, string] => [price, size]),
    venue_first_id: venueFirstId,
    venue_last_id: venueLastId,
    venue_prev_id: venuePrevId,
  }
}
