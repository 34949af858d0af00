import type { Instrument } from '@tapeline/contracts/market-data/http'

export const FOUND_MAX = 50

/** Instruments whose symbol, venue, venue symbol or alias contains every word, those whose symbol begins with it first. */
export function findInstruments(instruments: readonly Instrument[], query: string): Instrument[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const found = instruments.filter((instrument) => {
    const text = textOf(instrument)
    return words.every((word) => text.includes(word))
  })
  const [first = ''] = words
  const rank = ({ symbol }: Instrument) => (symbol.toLowerCase().startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

function textOf({ symbol, venue, venue_symbol, aliases }: Instrument): string {
  return [symbol, venue, venue_symbol, ...aliases].join(' ').toLowerCase()
}
