import type { UserActor } from '@tapeline/contracts/actor'
import type { Subscribe } from '@tapeline/contracts/market-data/stream'
import { silentLogger as logger } from '@tapeline/testing/silent-logger'
import type { Deps } from '../../src/deps.ts'
import { createFairQueue } from '../../src/records/fair-queue.ts'
import { BookFeeds } from '../../src/stream/book/book-feeds.ts'
import { LiveFeeds } from '../../src/stream/live-feeds.ts'
import { type Feeds, startSubscription } from '../../src/stream/start-subscription.ts'

type Sent = { type: string; data?: { symbol: string; sequence: string; count: number }[] }

/** The feeds of a process, and subscriptions to them without a connection: the test calls `readUpToNow`. */
export function openFeeds(deps: Deps) {
  const records = new LiveFeeds(deps, logger)
  const queue = createFairQueue({ runningMax: 1, waitingMax: 10, waitingOfAccountMax: 10 })
  const feeds: Feeds = { records, books: new BookFeeds(deps, records, logger), queue }
  return {
    records,
    subscribe: async (actor: UserActor, place: Omit<Subscribe, 'op' | 'id'>) => {
      const sent: Sent[] = []
      const output = { hasRoom: () => true, send: ({ json }: { json: string }) => void sent.push(JSON.parse(json)) }
      const message = { op: 'subscribe', id: 'a', ...place } as const
      return { sent, subscription: await startSubscription({ deps, feeds, actor, logger, output }, message) }
    },
  }
}
