import type { FeedListener } from './live-feed.ts'
import type { SubscriptionParameters } from './open-subscription.ts'
import type { Pace } from './read-up-to-now.ts'

/** A subscription of any channel, as seen by its connection. */
export type RunningSubscription = FeedListener & {
  readonly parameters: SubscriptionParameters
  readonly isLive: boolean
  /** Whether it begins without reading older records first. */
  canJoin: () => boolean
  cursor: () => string
  /** Sends stored records after the cursor, at the client's pace, then continues live. */
  readUpToNow: (pace: Pace) => Promise<void>
  /** Leaves its feeds too. */
  end: () => void
  hasEnded: () => boolean
}
