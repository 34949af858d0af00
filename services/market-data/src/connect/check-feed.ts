import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { FeedPlan } from './start-venue.ts'

const TIMEOUT_MS = 8_000

/** The reason why a feed cannot be reached over its socket or over REST; undefined if it can. */
export async function findFeedProblem({ feed, addresses, instruments }: FeedPlan): Promise<string | undefined> {
  const symbols = instruments.map(({ venueSymbol }) => venueSymbol)
  const socket = new WebSocket(addresses.socket + feed.socketPath(symbols), { handshakeTimeout: TIMEOUT_MS })
  try {
    await once(socket, 'open', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    // Any HTTP response proves that the address is reachable.
    await fetch(addresses.rest, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return undefined
  } catch (error) {
    return reasonOf(error)
  } finally {
    socket.on('error', () => undefined)
    socket.terminate()
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`
  const { cause } = error
  return cause instanceof Error ? cause.message : error.message || error.name
}
