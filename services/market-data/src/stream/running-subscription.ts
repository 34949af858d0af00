import type { FeedListener } from './live-feed.ts'
import type { Wanted } from './open-subscription.ts'
import type { Pace } from './read-up-to-now.ts'

/** A subscription of any channel, as its connection runs it. */
export type RunningSubscription = FeedListener & {
  readonly wanted: Wanted
  readonly isLive: boolean
  /** Whether it begins without reading older records first. */
  canJoin: () => boolean
  cursor: () => string
  /** Sends what the store has beyond the cursor, at the client's pace, and then goes on live. */
  readUpToNow: (pace: Pace) => Promise<void>
  /** Leaves its feeds too. */
  end: () => void
  hasEnded: () => boolean
}
