import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { SessionOptions } from './feed-session.ts'
import type { Connection } from './recover-market.ts'

const HANDSHAKE_TIMEOUT_MS = 10_000
const FRAME_BYTES_MAX = 64 * 1024 * 1024
/** Venues end connections after 24 h. */
const CONNECTION_AGE_MAX_MS = 23 * 3_600_000
const MS_PER_SECOND = 1_000

export type ConnectionEvents = {
  signal: AbortSignal
  opened: (connection: Connection) => void
  /** Throws for a frame that cannot be read. */
  frame: (text: string, tsRecv: string) => void
}

const PING_EVERY_MS = 15_000

/** Resolves with the reason when the connection has ended. */
export function useConnection(options: SessionOptions, events: ConnectionEvents): Promise<string> {
  const { feed, addresses, instruments, clock, raw, publisher, pingEveryMs = PING_EVERY_MS } = options
  const { connectionAgeMaxMs = CONNECTION_AGE_MAX_MS } = options
  const symbols = instruments.map(({ venueSymbol }) => venueSymbol)
  const url = addresses.socket + feed.socketPath(symbols)
  const socket = new WebSocket(url, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, maxPayload: FRAME_BYTES_MAX })
  const ended = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  let hasReceived = true
  const end = (reason: string): void => {
    if (ended.signal.aborted) return
    ended.abort()
    clearInterval(pings)
    raw.write(clock(), 'close', reason)
    socket.terminate()
    resolve(reason)
  }
  const ping = (): void => {
    if (!hasReceived) return end('connection_silent')
    hasReceived = false
    if (socket.readyState !== WebSocket.OPEN) return
    socket.ping()
    if (feed.keepAlive !== undefined) socket.send(feed.keepAlive)
  }
  // If this process was paused, buffered frames are read before the connection counts as silent.
  const pings = setInterval(() => setImmediate(ping), pingEveryMs)
  const oldest = performance.now() + connectionAgeMaxMs
  const send = createPacedSend(socket, { perSecond: feed.limits.messagesPerSecond, signal: ended.signal })
  socket.on('open', () => {
    raw.write(clock(), 'open', url)
    for (const text of feed.subscribe(symbols)) send(text)
    events.opened({ send, signal: ended.signal })
  })
  for (const name of ['ping', 'pong'] as const) socket.on(name, () => (hasReceived = true))
  socket.on('message', (content: Buffer) => {
    hasReceived = true
    if (ended.signal.aborted) return
    const [text, tsRecv] = [content.toString(), clock()]
    raw.write(tsRecv, 'frame', text)
    try {
      events.frame(text, tsRecv)
    } catch (error) {
      options.logger.warn(
        { feed: feed.name, error: String(error), frame: text.slice(0, 200) },
        'venue connector: a frame could not be parsed; reconnecting',
      )
      return end('frame_unreadable')
    }
    if (publisher.isFull()) end('kafka_unavailable')
    if (performance.now() > oldest) end('connection_renewed')
  })
  socket.on('error', (error) => {
    options.logger.warn({ feed: feed.name, error: error.message }, 'venue connector: failed; reconnecting')
    end('connection_failed')
  })
  socket.on('close', (code) => end(code === 1006 ? 'connection_lost' : `connection_closed_${code}`))
  events.signal.addEventListener('abort', () => end('connector_stopped'), { once: true, signal: ended.signal })
  return promise
}

type Pace = { perSecond: number; signal: AbortSignal }

/** Limits the messages sent in any second; further ones wait. */
function createPacedSend(socket: WebSocket, { perSecond, signal }: Pace): (text: string) => void {
  let dueTimesMs: number[] = []
  return (text) => {
    const now = performance.now()
    const earliest = dueTimesMs.at(-perSecond)
    const dueMs = earliest === undefined ? now : Math.max(now, earliest + MS_PER_SECOND)
    dueTimesMs = [...dueTimesMs.slice(-perSecond), dueMs]
    if (dueMs <= now) socket.send(text)
    else
      void delay(dueMs - now, undefined, { signal })
        .then(() => socket.send(text))
        .catch(() => undefined)
  }
}
