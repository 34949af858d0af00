import type { Tier } from '../actor.ts'
import { tierDocuments } from './shipped-tiers.ts'
import type { TierLimits } from './tiers.ts'

/** `connections`: open streams of an account at a time; `messagesPerSecond`: of each of them. */
export type StreamLimits = { connections: number; messagesPerSecond: number }

/** The first limits that name one decide: the account's own, its tier's, then the shipped ones of the tier. */
export function streamLimitsOf(tier: Tier, tierLimits: TierLimits, own: TierLimits | null): StreamLimits {
  const shipped = tierDocuments[tier].rateLimits
  return {
    connections: own?.streamConnections ?? tierLimits.streamConnections ?? shipped.streamConnections,
    messagesPerSecond:
      own?.streamMessagesPerSecond ?? tierLimits.streamMessagesPerSecond ?? shipped.streamMessagesPerSecond,
  }
}
