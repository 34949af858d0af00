import type { BarInterval } from '@tapeline/contracts/market-data/bars'
import { BAR_CHANNELS, type StreamChannel } from '@tapeline/contracts/market-data/stream'

const INTERVALS: Record<(typeof BAR_CHANNELS)[number], BarInterval> = {
  'bars.1s': '1s',
  'bars.1m': '1m',
  'bars.5m': '5m',
  'bars.1h': '1h',
  'bars.1d': '1d',
}

/** Undefined for a channel of records. */
export function barIntervalOf(channel: StreamChannel): BarInterval | undefined {
  const name = BAR_CHANNELS.find((one) => one === channel)
  return name && INTERVALS[name]
}
