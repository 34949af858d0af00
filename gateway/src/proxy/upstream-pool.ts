import { UpstreamConnection } from './upstream-connection.ts'
import type { ResponseHandler, UpstreamRequest } from './upstream-request.ts'

export type UpstreamPoolOptions = { url: string; connections: number; connectTimeoutMs: number; keepAliveMs: number }

type Waiting = { request: UpstreamRequest; handler: ResponseHandler }

const CHECK_EVERY_MS = 5_000

/**
 * Kept-alive connections to one service. A request is sent after one more poll of all sockets: unsolicited bytes that
 * arrived before it was dispatched have closed their connection. Later ones look like an answer: HTTP/1.1 cannot distinguish them.
 */
export class UpstreamPool {
  private readonly idle: UpstreamConnection[] = []
  private readonly open = new Set<UpstreamConnection>()
  private waiting: Waiting[] = []
  private isAssigning = false
  private isDestroyed = false
  private readonly timer: NodeJS.Timeout
  private readonly host: string
  private readonly port: number
  private readonly options: UpstreamPoolOptions

  constructor(options: UpstreamPoolOptions) {
    const { hostname, port } = new URL(options.url)
    this.options = options
    this.host = hostname.replace(/^\[|\]$/g, '')
    this.port = port === '' ? 80 : Number(port)
    this.timer = setInterval(() => this.closeIdle(), CHECK_EVERY_MS)
    this.timer.unref()
  }

  dispatch(request: UpstreamRequest, handler: ResponseHandler): void {
    if (this.isDestroyed) {
      handler.onError(new Error('the gateway is being stopped'))
      return
    }
    this.waiting.push({ request, handler })
    this.assignSoon()
  }

  destroy(): void {
    this.isDestroyed = true
    clearInterval(this.timer)
    for (const connection of this.open) connection.destroy()
    for (const { handler } of this.waiting.splice(0)) handler.onError(new Error('the gateway is being stopped'))
  }

  private assignSoon(): void {
    if (this.isAssigning) return
    this.isAssigning = true
    // The first may run in the current turn of the event loop, whose poll has ended; a complete poll is between the two.
    setImmediate(() => setImmediate(() => this.assign()))
  }

  private assign(): void {
    this.isAssigning = false
    let assigned = 0
    for (const { request, handler } of this.waiting) {
      const connection = this.idle.pop() ?? this.newConnection()
      if (connection === undefined) break
      assigned += 1
      connection.send(request, handler)
    }
    this.waiting = assigned === this.waiting.length ? [] : this.waiting.slice(assigned)
  }

  private newConnection(): UpstreamConnection | undefined {
    const { connections, connectTimeoutMs } = this.options
    if (this.open.size >= connections || this.isDestroyed) return undefined
    const connection = new UpstreamConnection({
      host: this.host,
      port: this.port,
      connectTimeoutMs,
      onIdle: (idle) => this.addIdle(idle),
      onClosed: (closed) => this.remove(closed),
    })
    this.open.add(connection)
    return connection
  }

  private addIdle(connection: UpstreamConnection): void {
    if (this.isDestroyed || !this.open.has(connection)) return
    connection.idleSinceMs = performance.now()
    this.idle.push(connection)
    if (this.waiting.length > 0) this.assignSoon()
  }

  private remove(connection: UpstreamConnection): void {
    this.open.delete(connection)
    const at = this.idle.indexOf(connection)
    if (at !== -1) this.idle.splice(at, 1)
    if (this.waiting.length > 0) this.assignSoon()
  }

  /** The service keeps idle connections longer, so that it never closes one just as a request is sent. */
  private closeIdle(): void {
    const before = performance.now() - this.options.keepAliveMs
    const old = this.idle.filter(({ idleSinceMs }) => idleSinceMs < before)
    for (const connection of old) connection.destroy()
  }
}
