import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Venue, VenueFeed, VenueInstrument } from '@tapeline/contracts/market-data/venues'
import { formatNumber } from '../../../format/number.ts'
import type { StateTone } from '../../../ui/StateBadge.tsx'

type StateStyle = { tone: StateTone; words: MessageDescriptor }

/** Names as the venues write them. */
const NAMES: Readonly<Record<string, string>> = {
  binance: 'Binance',
  coinbase: 'Coinbase Exchange',
  kraken: 'Kraken',
  okx: 'OKX',
}

export function venueName(venue: string): string {
  return NAMES[venue] ?? venue
}

export const feedStyles: Readonly<Record<VenueFeed['state'], StateStyle>> = {
  connected: { tone: 'live', words: msg`Connected` },
  connecting: { tone: 'warn', words: msg`Connecting` },
  paused: { tone: 'off', words: msg`Paused` },
  not_running: { tone: 'bad', words: msg`Not running` },
}

export const bookStyles: Readonly<Record<VenueInstrument['book'], StateStyle>> = {
  live: { tone: 'ok', words: msg`Live` },
  connecting: { tone: 'off', words: msg`Connecting` },
  joining: { tone: 'warn', words: msg`Waiting for a snapshot` },
  recovering: { tone: 'warn', words: msg`Recovering` },
}

/** Below a second in milliseconds, above in seconds; a venue's clock may be ahead of ours. */
export function lagWords(lagMs: number | null): string {
  if (lagMs === null) return '–'
  return Math.abs(lagMs) < 1_000 ? `${lagMs} ms` : `${formatNumber(lagMs / 1_000, 1)} s`
}

export function gapWords({ gaps, last_gap }: Pick<VenueInstrument, 'gaps' | 'last_gap'>): string {
  const count = plural(gaps, { one: '# gap', other: '# gaps' })
  return last_gap === null ? count : `${count}: ${last_gap.reason}`
}

/** BTC-USDT, ETH-USDT: separated by commas or spaces, in any case. */
export function readSymbols(text: string): string[] {
  return [...new Set(text.toUpperCase().split(/[\s,]+/))].filter((symbol) => symbol !== '')
}

export function countWords({ feeds }: Venue): string {
  const count = feeds.reduce((sum, { instruments }) => sum + instruments.length, 0)
  return plural(count, { one: '# instrument', other: '# instruments' })
}

/** Immediate effects of saving. */
export function saveEffects(before: Venue, after: { symbols: readonly string[]; is_paused: boolean }): string[] {
  if (after.is_paused) {
    return [
      t`Connections are closed within seconds; each book gets a gap.`,
      t`Symbols are kept, and nothing is deleted.`,
    ]
  }
  if (before.is_paused) return [t`Connections are opened within seconds; trades that were missed are requested.`]
  return [
    t`Connections are updated within seconds.`,
    t`Other books of the same connection get one gap, because the connection is reopened.`,
  ]
}
