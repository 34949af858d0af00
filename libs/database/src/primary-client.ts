import type { Socket } from 'node:net'
import pg from 'pg'
import { ConnectionError } from './connection-error.ts'
import { findPrimary, readTimeline } from './find-primary.ts'
import { type NewestTimeline, newestTimelineOf } from './newest-timeline.ts'

/** How long a connection may be silent before its server is checked. */
const SUSPECT_AFTER_MS = 3_000

/** Address of the primary for all connections of a pool; determined again after a connection failed. */
type Place = { url: () => Promise<string>; invalidateAddress: () => void; findAgain: () => Promise<string> }

/**
 * A client that connects to the primary among several servers, and leaves a silent server once another is the primary.
 */
export function primaryClient(urls: readonly string[]): typeof pg.Client {
  const newest = newestTimelineOf(urls)
  const place = placeOf(urls, newest)
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.toPrimary()
      if (callback === undefined) return connected
      connected.then(() => (callback as () => void)(), callback)
      return undefined
    }

    private async toPrimary(): Promise<pg.Client> {
      // The pool listens only once the client is connected; an error in between would end the process.
      this.on('error', () => undefined)
      try {
        const url = await place.url()
        const { hostname, port } = new URL(url)
        Object.assign(this, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || '5432') })
        await super.connect()
        await refuseOthers(this, newest)
        closeWhenReplaced(this, newest, place)
        return this
      } catch (error) {
        place.invalidateAddress()
        throw error
      }
    }
  }
}

function placeOf(urls: readonly string[], newest: NewestTimeline): Place {
  let cachedAddress: Promise<string> | undefined
  let cachedTimeline = ''
  let search: Promise<string> | undefined
  const invalidateAddress = (): void => {
    cachedAddress = undefined
  }
  // Connections that fail or hang at the same time share one search.
  const findAgain = async (): Promise<string> => {
    search ??= findPrimary(urls).finally(() => (search = undefined))
    cachedAddress = search
    try {
      const found = await search
      cachedTimeline = newest.value()
      return found
    } catch (error) {
      // Otherwise the next connection would fail with this error although a primary exists by then.
      invalidateAddress()
      throw error
    }
  }
  const url = async (): Promise<string> => {
    // The cached address is that of a former primary once a higher timeline is known.
    if (cachedAddress !== undefined && cachedTimeline === newest.value()) return cachedAddress
    return findAgain()
  }
  return { url, invalidateAddress, findAgain }
}

/** The server may have become a standby or a former primary since its address was found. */
async function refuseOthers(client: pg.Client, newest: NewestTimeline): Promise<void> {
  const timeline = await readTimeline(client)
  newest.record(timeline)
  if (timeline !== '' && timeline === newest.value()) return
  await client.end()
  throw new ConnectionError('08001', `the server has become a ${timeline === '' ? 'standby' : 'former primary'}`)
}

/**
 * Closes the connection when a higher timeline than its own becomes known, and searches for one while a statement
 * waits: an unreachable server closes no connection, so the statement would wait for the TCP timeout of several minutes.
 * Searched again and again, because a failover takes longer than the first silence.
 */
function closeWhenReplaced(client: pg.Client, newest: NewestTimeline, place: Place): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  const { stream } = connection
  const stopListening = newest.onHigher(() => {
    stream.destroy(new ConnectionError('08006', 'another server has become the primary'))
  })
  stream.once('close', stopListening)
  stream.on('timeout', async () => {
    // Activity, such as the next statement, starts the timeout again.
    if (!isWaiting(client)) return
    await place.findAgain().catch(() => undefined)
    if (!stream.destroyed) stream.setTimeout(SUSPECT_AFTER_MS)
  })
  stream.setTimeout(SUSPECT_AFTER_MS)
}

/** Whether a statement was sent and is not answered. */
function isWaiting(client: pg.Client): boolean {
  const { readyForQuery } = client as unknown as { readyForQuery: boolean }
  return !readyForQuery
}
