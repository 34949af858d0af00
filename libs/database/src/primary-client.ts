import type { Socket } from 'node:net'
import pg from 'pg'
import { ConnectionError } from './connection-error.ts'
import { findPrimary } from './find-primary.ts'

/** How long a connection may be silent before its server is checked. */
const SUSPECT_AFTER_MS = 3_000

/** Address of the primary for all connections of a pool; determined again after a connection failed. */
type Place = { url: () => Promise<string>; invalidateAddress: () => void; findAgain: () => Promise<string> }

/**
 * A client that connects to the primary among several servers, and leaves a silent server once another is the primary.
 */
export function primaryClient(urls: readonly string[]): typeof pg.Client {
  const place = placeOf(urls)
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
        await refuseStandby(this)
        closeWhenReplaced(this, url, place)
        return this
      } catch (error) {
        place.invalidateAddress()
        throw error
      }
    }
  }
}

function placeOf(urls: readonly string[]): Place {
  let cachedAddress: Promise<string> | undefined
  let search: Promise<string> | undefined
  const invalidateAddress = (): void => {
    cachedAddress = undefined
  }
  // Connections that fail or hang at the same time share one search.
  const findAgain = async (): Promise<string> => {
    search ??= findPrimary(urls).finally(() => (search = undefined))
    cachedAddress = search
    try {
      return await search
    } catch (error) {
      // Otherwise the next connection would fail with this error although a primary exists by then.
      invalidateAddress()
      throw error
    }
  }
  return { url: async () => cachedAddress ?? findAgain(), invalidateAddress, findAgain }
}

/** The primary may have become a standby in the meantime. */
async function refuseStandby(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby === false) return
  await client.end()
  throw new ConnectionError('08001', 'the server has become a standby')
}

/**
 * An unreachable server closes no connection, so a statement would wait for the TCP timeout of several minutes. Checked
 * again and again while a statement waits: a failover takes longer than the first silence.
 */
function closeWhenReplaced(client: pg.Client, url: string, place: Place): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  const { stream } = connection
  stream.on('timeout', async () => {
    // Activity, such as the next statement, starts the timeout again.
    if (!isWaiting(client)) return
    const primary = await place.findAgain().catch(() => url)
    if (primary !== url) stream.destroy(new ConnectionError('08006', 'another server has become the primary'))
    else if (!stream.destroyed) stream.setTimeout(SUSPECT_AFTER_MS)
  })
  stream.setTimeout(SUSPECT_AFTER_MS)
}

/** Whether a statement was sent and is not answered. */
function isWaiting(client: pg.Client): boolean {
  const { readyForQuery } = client as unknown as { readyForQuery: boolean }
  return !readyForQuery
}
