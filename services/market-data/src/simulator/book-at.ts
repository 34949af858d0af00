import { canonicalDecimal } from '../decimal.ts'
import type { Level } from '../store/record.ts'
import type { Market } from './markets.ts'
import type { Random } from './random.ts'

/** A whole book, best first; prices and sizes are canonical decimals. */
export type Book = { bids: Level[]; asks: Level[] }

export const LEVELS_PER_SIDE = 10
/** Components of a price: slow waves with large amplitudes, fast ones with small amplitudes. */
const WAVES = [
  { periodSeconds: 259_200, amplitude: 0.03 },
  { periodSeconds: 43_200, amplitude: 0.012 },
  { periodSeconds: 5_400, amplitude: 0.003 },
  { periodSeconds: 600, amplitude: 0.0006 },
  { periodSeconds: 45, amplitude: 0.00008 },
]
const LIFETIME_SECONDS_MIN = 8
const LIFETIME_SECONDS_SPREAD = 50
const DRAW = { wave: 1, size: 2, lifetime: 3, phase: 4 } as const
const SIDE = { bid: 0, ask: 1 } as const

/**
 * The book of a market in one second, a function of seed and second alone: any two books have a consistent difference
 * and a restart needs no memory. The best bid is always one grid step below the best ask.
 */
export function bookAt(random: Random, market: Market, second: number): Book {
  const best = bestBidIndex(random, market, second)
  const indexes = Array.from({ length: LEVELS_PER_SIDE }, (_value, depth) => depth)
  return {
    bids: indexes.map((depth) => levelAt(random, market, { second, depth, index: best - depth, side: SIDE.bid })),
    asks: indexes.map((depth) => levelAt(random, market, { second, depth, index: best + 1 + depth, side: SIDE.ask })),
  }
}

/** The prices of the best bid and ask of `bookAt`. */
export function bestPricesAt(random: Random, market: Market, second: number): { bid: string; ask: string } {
  const best = bestBidIndex(random, market, second)
  return { bid: priceOf(market, best), ask: priceOf(market, best + 1) }
}

/** The changes from one book to another: absolute sizes, "0" for removed levels. Best first. */
export function changesBetween(before: Level[], after: Level[], direction: 1 | -1): Level[] {
  const old = new Map(before)
  const remaining = new Set(after.map(([price]) => price))
  const removed = before.filter(([price]) => !remaining.has(price)).map(([price]): Level => [price, '0'])
  const changed = after.filter(([price, size]) => old.get(price) !== size)
  return [...removed, ...changed].toSorted(([one], [other]) => direction * (Number(one) - Number(other)))
}

function bestBidIndex(random: Random, market: Market, second: number): number {
  const drift = WAVES.reduce((sum, { periodSeconds, amplitude }, wave) => {
    const noise = smoothNoise(random, market.instrumentId, wave, second / periodSeconds)
    return sum + amplitude * (2 * noise - 1)
  }, 0)
  const units = market.basePrice * Math.exp(drift) * 10 ** market.priceDecimals
  return Math.floor(units / market.gridUnits)
}

/** Random values at whole numbers, a smooth curve between them. */
function smoothNoise(random: Random, instrumentId: number, wave: number, at: number): number {
  const left = Math.floor(at)
  const share = at - left
  const weight = share * share * (3 - 2 * share)
  const from = random(DRAW.wave, instrumentId, wave, left)
  return from + (random(DRAW.wave, instrumentId, wave, left + 1) - from) * weight
}

type Place = { second: number; depth: number; index: number; side: number }

/** The best level has a new size every second, the others now and then. */
function levelAt(random: Random, market: Market, { second, depth, index, side }: Place): Level {
  const { instrumentId } = market
  const lifetime =
    depth === 0
      ? 1
      : LIFETIME_SECONDS_MIN + Math.floor(random(DRAW.lifetime, instrumentId, index) * LIFETIME_SECONDS_SPREAD)
  const phase = Math.floor(random(DRAW.phase, instrumentId, index) * lifetime)
  const draw = random(DRAW.size, instrumentId, 2 * index + side, Math.floor((second + phase) / lifetime))
  return [priceOf(market, index), sizeOf(market, 0.2 + 2.4 * draw * (1 + depth / 4))]
}

function priceOf({ gridUnits, priceDecimals }: Market, index: number): string {
  return decimalOf(index * gridUnits, priceDecimals)
}

/** A size as a multiple of the market's mean, in units of 10^-sizeDecimals, at least one. */
export function sizeUnitsOf({ meanSize, sizeDecimals }: Market, times: number): number {
  return Math.max(1, Math.round(meanSize * times * 10 ** sizeDecimals))
}

function sizeOf(market: Market, times: number): string {
  return decimalOf(sizeUnitsOf(market, times), market.sizeDecimals)
}

/** The canonical decimal of a number of units of 10^-decimals. */
export function decimalOf(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return canonicalDecimal(text) ?? text
}
