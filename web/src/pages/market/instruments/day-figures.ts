import type { Bar } from '@tapeline/contracts/market-data/bars'

const DAY_MS = 86_400_000

export type DayFigures = {
  /** Change from the first open to the last close, as a fraction. */
  change: number
  /** Decimals as the API gave them. */
  high: string
  low: string
  /** Sum of sizes, to be shown rounded. */
  volume: number
  trades: number
}

/** Figures of the 24 hours before a moment; undefined without a trade in them. */
export function dayFigures(bars: readonly Bar[], atMs: number): DayFigures | undefined {
  const within = bars.filter(({ ts_start }) => Date.parse(ts_start) >= atMs - DAY_MS && Date.parse(ts_start) < atMs)
  const [first] = within
  const last = within.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    change: Number(last.close) / Number(first.open) - 1,
    high: within.reduce((most, { high }) => (Number(high) > Number(most) ? high : most), first.high),
    low: within.reduce((least, { low }) => (Number(low) < Number(least) ? low : least), first.low),
    volume: within.reduce((sum, { volume }) => sum + Number(volume), 0),
    trades: within.reduce((sum, { count }) => sum + count, 0),
  }
}
