import { readPage } from '../records/read-page.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { portionsOf } from './feed-block.ts'
import { laterOf, positionAt } from './position.ts'
import { keysOf } from './stream-cursor.ts'
import type { Subscription } from './subscription.ts'

const ROWS_PER_PAGE = 500

export type Pace = {
  /** Resolves when the client has received all sent messages; false if the connection has ended. */
  hasDrained: () => Promise<boolean>
  /** Waits for this connection's turn to read the store. */
  inTurn: <T>(read: () => Promise<T>) => Promise<T>
  /** Called after each page. */
  onPage: (rows: number) => void
}

export const UNPACED: Omit<Pace, 'hasDrained'> = { inTurn: (read) => read(), onPage: () => undefined }

/** Sends stored records after each place, at the client's pace, until the feeds can continue. */
export async function readUpToNow(stores: Stores, subscription: Subscription, pace: Pace): Promise<void> {
  while (!subscription.joinFeeds()) {
    if (!(await pace.hasDrained()) || !(await sendPage(stores, subscription, pace))) return
  }
}

async function sendPage(stores: Stores, subscription: Subscription, pace: Pace): Promise<boolean> {
  const { readers, view, parameters } = subscription
  const { channel, filter } = parameters
  const sequences = subscription.bufferLate()
  const { ends, page } = await pace.inTurn(async () => {
    const before = [...readers].map(([id, { feed }]) => ({ id, tail: feed.tail }))
    const scan = { channel, instrumentIds: [...readers.keys()], filter, ...keysOf(subscription.positions()) }
    return { ends: before, page: await readPage(stores, scan, ROWS_PER_PAGE) }
  })
  for (const portion of portionsOf(page.rows, view.renderNow())) {
    if (!(await pace.hasDrained())) return false
    subscription.sendStored(page.rows, portion, sequences)
  }
  for (const { id, tail } of ends) {
    const reader = readers.get(id)
    if (reader === undefined) continue
    // The end of the store includes the feed's tail, even if the filter omitted records.
    const examined = page.hasMore ? page.reached && positionAt(page.reached, id) : tail
    if (examined !== undefined) reader.position = laterOf(reader.position, examined)
  }
  pace.onPage(page.rows.length)
  if (page.hasMore) subscription.releaseLate()
  return !subscription.hasEnded()
}
