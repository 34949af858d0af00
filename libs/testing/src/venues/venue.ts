import type { EmulatedMarket } from './emulated-market.ts'
import type { VenueServer } from './venue-server.ts'

/** An emulated venue: seeded markets behind its own message shapes. */
export type Venue = VenueServer & {
  markets: ReadonlyMap<string, EmulatedMarket>
  /** Generates the next event and publishes it unless it should be lost; returns the text. */
  change: (symbol: string, isSent?: boolean) => string
  trade: (symbol: string, isSent?: boolean) => string
}
