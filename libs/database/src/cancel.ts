import { AsyncLocalStorage } from 'node:async_hooks'
import { connect as connectTo } from 'node:net'
import type pg from 'pg'

const abandoned = new AsyncLocalStorage<AbortSignal>()

/**
 * Runs `run`; when `signal` aborts, statements that it started are also cancelled in PostgreSQL.
 * @param signal aborts when the result is no longer needed
 * @returns the result of `run`
 */
export function cancelWith<T>(signal: AbortSignal, run: () => T): T {
  return abandoned.run(signal, run)
}

/** Runs work whose result is shared by several callers: the abort signal of the current caller does not cancel it. */
export function withoutCancellation<T>(run: () => T): T {
  return abandoned.exit(run)
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/** Makes connections of this pool obey `cancelWith`: each is bound to the signal of the context that takes it. */
export function cancelAbandoned(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  function take(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const signal = abandoned.getStore()
    if (signal === undefined && callback !== undefined) {
      connect(callback)
      return undefined
    }
    const taken = signal === undefined ? connect() : connect().then((client) => watch(client, signal))
    if (callback === undefined) return taken
    taken.then(
      (client) => callback(undefined, client, (error) => client.release(error === undefined ? undefined : true)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }
  // One function serves both overloads of `connect`; the pool's own `query` uses the one with a callback.
  pool.connect = take as typeof pool.connect
}

/** A cancelled connection is closed: the cancel request may arrive late and would then hit the next statement. */
function watch(client: pg.PoolClient, signal: AbortSignal): pg.PoolClient {
  if (signal.aborted) {
    client.release()
    throw new Error('statement cancelled: its result is no longer needed')
  }
  const release = client.release.bind(client)
  let isCancelled = false
  const onAbort = (): void => {
    isCancelled = true
    sendCancel(client)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  client.release = (error) => {
    signal.removeEventListener('abort', onAbort)
    release(isCancelled ? true : error)
  }
  return client
}

const CANCEL_REQUEST = 80_877_102
const PACKET_BYTES = 16

/** Sends CancelRequest on a separate connection (https://www.postgresql.org/docs/18/protocol-message-formats.html). */
function sendCancel(client: object): void {
  const { processID, secretKey, host, port } = client as Record<string, unknown>
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const packet = Buffer.alloc(PACKET_BYTES)
  for (const [n, word] of [PACKET_BYTES, CANCEL_REQUEST, processID, secretKey].entries())
    packet.writeInt32BE(word, n * 4)
  const isPath = String(host).startsWith('/')
  const socket = isPath ? connectTo(`${String(host)}/.s.PGSQL.${String(port)}`) : connectTo(Number(port), String(host))
  socket.on('error', () => {})
  socket.end(packet)
}
