import type { Bar } from '@tapeline/contracts/market-data/bars'
import { CANDLE_SECONDS, type Candle } from '../market-filter.ts'

const SECOND_MS = 1_000
const PADDING = 0.06
const TICKS = 5
const FLAT_RANGE = 0.001

/** A candle in percent of the plot, from the left and from the top. */
export type PlacedBar = {
  bar: Bar
  slot: number
  isUp: boolean
  left: number
  top: number
  height: number
  bodyTop: number
  bodyHeight: number
  volume: number
}
export type CandleScale = {
  slots: number
  /** Beginning of the first slot, and end of the last one. */
  startMs: number
  endMs: number
  bars: readonly PlacedBar[]
  ticks: readonly { price: number; top: number }[]
  topOf: (price: number) => number
  leftOf: (ms: number) => number
  volumeMax: number
}

/** Places candles by time, so that an interval without a trade is an empty slot. `untilMs`: a moment in the last slot. */
export function candleScale(bars: readonly Bar[], candle: Candle, slots: number, untilMs: number): CandleScale {
  const slotMs = CANDLE_SECONDS[candle] * SECOND_MS
  const endMs = Math.floor(untilMs / slotMs) * slotMs + slotMs
  const startMs = endMs - slots * slotMs
  const shown = bars.filter(({ ts_start }) => Date.parse(ts_start) >= startMs && Date.parse(ts_start) < endMs)
  const { low, high } = priceRange(shown)
  const topOf = (price: number) => ((high - price) / (high - low)) * 100
  const volumeMax = Math.max(0, ...shown.map(({ volume }) => Number(volume)))
  const leftOf = (ms: number) => ((ms - startMs) / (endMs - startMs)) * 100
  return {
    slots,
    startMs,
    endMs,
    topOf,
    leftOf,
    volumeMax,
    ticks: niceTicks(low, high).map((price) => ({ price, top: topOf(price) })),
    bars: shown.map((bar) => {
      const slot = Math.round((Date.parse(bar.ts_start) - startMs) / slotMs)
      const [open, close] = [Number(bar.open), Number(bar.close)]
      const top = topOf(Number(bar.high))
      const bodyTop = topOf(Math.max(open, close))
      return {
        bar,
        slot,
        isUp: close >= open,
        left: ((slot + 0.5) / slots) * 100,
        top,
        height: topOf(Number(bar.low)) - top,
        bodyTop,
        bodyHeight: topOf(Math.min(open, close)) - bodyTop,
        volume: volumeMax === 0 ? 0 : Number(bar.volume) / volumeMax,
      }
    }),
  }
}

function priceRange(bars: readonly Bar[]): { low: number; high: number } {
  if (bars.length === 0) return { low: 0, high: 1 }
  const low = Math.min(...bars.map((bar) => Number(bar.low)))
  const high = Math.max(...bars.map((bar) => Number(bar.high)))
  const padding = Math.max((high - low) * PADDING, high * FLAT_RANGE * PADDING)
  return { low: low - padding, high: high + padding }
}

/** Round prices between two, about five of them. */
export function niceTicks(low: number, high: number): number[] {
  const rough = (high - low) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const last = Math.floor(high / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step)
}

/** Moments on the time axis: multiples of a round step, about six of them. */
export function timeTicks({ startMs, endMs }: Pick<CandleScale, 'startMs' | 'endMs'>): number[] {
  const rough = (endMs - startMs) / 6
  const stepMs = TIME_STEPS_MS.find((step) => step >= rough) ?? rough
  const first = Math.ceil(startMs / stepMs)
  const last = Math.floor((endMs - stepMs / 3) / stepMs)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * stepMs)
}

const TIME_STEPS_MS = [5, 10, 15, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400].map(
  (seconds) => seconds * SECOND_MS,
)
