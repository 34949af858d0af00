import type { Kind, ReadFile } from '../kind.ts'
import type { Head } from '../sources/read-head.ts'
import { isCoinbaseMessage, readCoinbase } from './read-coinbase.ts'
import { isGeminiMessage, readGemini } from './read-gemini.ts'
import { isOkxMessage, readOkx } from './read-okx.ts'
import { krakenChannel, readKraken } from './read-kraken.ts'
import { field } from '../../venues/json.ts'
import { parseRecordedLine } from './recorded-frame.ts'

export const cryptofeedKinds: readonly Kind[] = [
  kindOf('kraken', 'Kraken frames recorded by cryptofeed', readKraken),
  {
    ...kindOf('coinbase', 'Coinbase Exchange frames recorded by cryptofeed', readCoinbase),
    hasConsecutiveTradeIds: true,
  },
  kindOf('okx', 'OKX frames recorded by cryptofeed', readOkx),
  kindOf('gemini', 'Gemini frames recorded by cryptofeed', readGemini),
]

type Venue = 'kraken' | 'coinbase' | 'okx' | 'gemini'

function kindOf(venue: Venue, description: string, read: ReadFile): Kind {
  return { name: venue, description, isLike: (head) => areFramesOf(venue, head), createReader: () => read }
}

/** At least one line is a frame of the venue, and none of another. */
function areFramesOf(venue: Venue, { lines }: Head): boolean {
  const venues = lines.map(venueOfLine).filter((found) => found !== undefined)
  return venues.length > 0 && venues.every((found) => found === venue)
}

function venueOfLine(line: string): Venue | undefined {
  try {
    const message = parseRecordedLine(line)?.message
    if (isCoinbaseMessage(message)) return 'coinbase'
    if (isOkxMessage(message)) return 'okx'
    if (isGeminiMessage(message)) return 'gemini'
    return krakenChannel(message) !== undefined || field(message, 'event') !== undefined ? 'kraken' : undefined
  } catch {
    return undefined
  }
}
