import type { Kind, ReadFile } from '../kind.ts'
import type { Head } from '../sources/read-head.ts'
import { isCoinbaseMessage, readCoinbase } from './read-coinbase.ts'
import { krakenChannel, readKraken } from './read-kraken.ts'
import { field, parseRecordedLine } from './recorded-frame.ts'

export const cryptofeedKinds: readonly Kind[] = [
  kindOf('kraken', 'Kraken frames recorded by cryptofeed', readKraken),
  kindOf('coinbase', 'Coinbase Exchange frames recorded by cryptofeed', readCoinbase),
]

type Venue = 'kraken' | 'coinbase'

function kindOf(venue: Venue, description: string, read: ReadFile): Kind {
  return { name: venue, description, isLike: (head) => areFramesOf(venue, head), createReader: () => read }
}

/** At least one line is a frame of the venue, and none of the other. */
function areFramesOf(venue: Venue, { lines }: Head): boolean {
  const venues = lines.map(venueOfLine).filter((found) => found !== undefined)
  return venues.length > 0 && venues.every((found) => found === venue)
}

function venueOfLine(line: string): Venue | undefined {
  try {
    const message = parseRecordedLine(line)?.message
    if (isCoinbaseMessage(message)) return 'coinbase'
    return krakenChannel(message) !== undefined || field(message, 'event') !== undefined ? 'kraken' : undefined
  } catch {
    return undefined
  }
}
