import { Pool } from 'undici'
import type { AnswerHandler } from './upstream-connection.ts'
import { UpstreamPool } from './upstream-pool.ts'

/** A request whose body may still be on its way. */
export type SentRequest = {
  path: string
  method: string
  headers: string[]
  body: Buffer | AsyncIterable<Buffer> | null
}
export type ServicePoolOptions = { connections: number; connectTimeoutMs: number; keepAliveMs: number }

/** Silence is judged by the gateway's own deadlines. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 }

/** Connections to one service. A body that arrives in pieces goes by undici; all else, nearly everything, costs half as much. */
export class ServicePool {
  private readonly whole: UpstreamPool
  private readonly streamed: Pool

  constructor(url: string, { connections, connectTimeoutMs, keepAliveMs }: ServicePoolOptions) {
    this.whole = new UpstreamPool({ url, connections, connectTimeoutMs, keepAliveMs })
    this.streamed = new Pool(url, {
      ...NO_TIMEOUTS,
      connections,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      connect: { timeout: connectTimeoutMs },
    })
  }

  dispatch(request: SentRequest, handler: AnswerHandler): void {
    const { path, method, headers, body } = request
    if (body === null || Buffer.isBuffer(body)) this.whole.dispatch({ path, method, headers, body }, handler)
    // undici takes async iterables as bodies; its types only name Readable.
    else this.streamed.dispatch({ path, method, headers, body: body as unknown as Buffer }, handler)
  }

  async destroy(): Promise<void> {
    this.whole.destroy()
    await this.streamed.destroy()
  }
}
