import type { Socket } from 'node:net'
import type { Logger } from '@tapeline/service/logger'
import type { Script } from '../scripts/scripts.ts'
import { type Command, type LimiterStore, type Result, runIdIn } from './limiter-store.ts'
import { openSocket, readRedisAddress, type RedisAddress, type ServerAddress } from './redis-server.ts'
import { encodeCommand, MalformedReply, RedisError, type Reply, RespReader } from './resp.ts'
import { checkMaster, findMaster, watchMaster } from './sentinels.ts'

export type RedisConnectionOptions = {
  /**
   * `redis://[user:password@]host[:port][/database]`, `rediss://` for TLS, or `redis+sentinel://host:port,…/<master>`.
   */
  url: string
  logger: Logger
}
type Waiting = { count: number; results: Result[]; onReplies: (results: Result[]) => void }

const CONNECT_TIMEOUT_MS = 1_000
/** Bounds the wait for a server that accepts a connection and does not answer. */
const GREETING_TIMEOUT_MS = 2_000
const RECONNECT_DELAY_MAX_MS = 500
const RECONNECT_STEP_MS = 50
const LOADING_RETRY_MS = 50

/**
 * One connection to one Redis, optimized for decisions: commands sent together are one write, replies arrive by callback in
 * the same order, and nothing is queued or sent again. It reconnects automatically, with Sentinels to the master that
 * they name; commands without a reply have failed by then.
 */
export class RedisConnection implements LimiterStore {
  readonly isSplit = false
  private readonly readyListeners: (() => void)[] = []
  private readonly closeListeners: (() => void)[] = []
  private readonly options: RedisConnectionOptions
  private readonly address: RedisAddress
  private readonly watch: NodeJS.Timeout | undefined
  private server: ServerAddress | undefined
  private socket: Socket | undefined
  private isReady = false
  private isDisconnected = false
  private isOutageLogged = false
  private attempts = 0
  private waiting: Waiting[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(options: RedisConnectionOptions) {
    this.options = options
    this.address = readRedisAddress(options.url)
    const { sentinels } = this.address
    if (sentinels !== undefined) this.watch = watchMaster(sentinels, (master) => this.leaveUnless(master))
    this.open()
  }

  send(commands: readonly Command[], onReplies: (results: Result[]) => void): void {
    if (this.isReady) this.write(commands, onReplies)
    else onReplies(commands.map(() => [new Error('Redis is unavailable'), null]))
  }

  async evaluate({ sha }: Script, keys: readonly string[], argv: readonly (string | number)[]): Promise<unknown> {
    return this.call(['EVALSHA', sha, String(keys.length), ...keys, ...argv.map(String)])
  }

  onReady(listener: () => void): void {
    this.readyListeners.push(listener)
    if (this.isReady) listener()
  }

  onClose(listener: () => void): void {
    this.closeListeners.push(listener)
  }

  async loadScripts(scripts: readonly Script[]): Promise<void> {
    await Promise.all(scripts.map(({ source }) => this.call(['SCRIPT', 'LOAD', source])))
  }

  async ping(): Promise<void> {
    await this.call(['PING'])
  }

  async runIds(): Promise<string> {
    return runIdIn(String(await this.call(['INFO', 'server'])))
  }

  reconnect(): void {
    this.socket?.destroy()
  }

  disconnect(): void {
    this.isDisconnected = true
    clearTimeout(this.timer)
    clearInterval(this.watch)
    this.socket?.destroy()
  }

  private open(): void {
    const { server, sentinels } = this.address
    if (sentinels === undefined) {
      this.openTo(server)
      return
    }
    findMaster(sentinels).then(
      (master) => this.openTo(master),
      (err) => {
        this.logOutage(err)
        this.closed()
      },
    )
  }

  /** A replaced master that was only unreachable keeps its connections open, so they are closed here. */
  private leaveUnless(master: ServerAddress): void {
    const { server } = this
    if (server !== undefined && (server.host !== master.host || server.port !== master.port)) this.socket?.destroy()
  }

  private openTo(server: ServerAddress): void {
    if (this.isDisconnected) return
    const { isEncrypted } = this.address
    const socket = openSocket(server, isEncrypted, new RespReader((reply) => this.take(reply)))
    this.socket = socket
    this.server = server
    socket.setKeepAlive(true)
    const late = setTimeout(() => socket.destroy(new Error('no connection to Redis in time')), CONNECT_TIMEOUT_MS)
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      void this.greet(socket)
    })
    socket.on('error', (err) => this.logOutage(err))
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(late)
      this.closed()
    })
  }

  /** Authenticates, selects the database and waits until Redis has loaded its data; then the connection is ready. */
  private async greet(socket: Socket): Promise<void> {
    const { username, password, database, sentinels } = this.address
    try {
      if (password !== '') await this.greeted(socket, ['AUTH', ...(username === '' ? [] : [username]), password])
      if (database !== '' && database !== '0') await this.greeted(socket, ['SELECT', database])
      await this.untilLoaded(socket)
      if (sentinels !== undefined) checkMaster(await this.greeted(socket, ['INFO', 'replication']))
    } catch (error) {
      this.logOutage(error)
      socket.destroy()
      return
    }
    this.attempts = 0
    this.isReady = true
    if (this.isOutageLogged) this.options.logger.info('redis: connected again')
    this.isOutageLogged = false
    for (const listener of this.readyListeners) listener()
  }

  private async untilLoaded(socket: Socket): Promise<void> {
    while (!socket.destroyed) {
      try {
        await this.greeted(socket, ['PING'])
        return
      } catch (error) {
        if (!(error instanceof RedisError) || !/^(LOADING|MASTERDOWN)/.test(error.message)) throw error
        await new Promise((resolve) => setTimeout(resolve, LOADING_RETRY_MS))
      }
    }
    throw new Error('the connection to Redis was lost')
  }

  private async greeted(socket: Socket, words: readonly string[]): Promise<unknown> {
    const late = setTimeout(
      () => socket.destroy(new Error('Redis accepted the connection and did not answer in time')),
      GREETING_TIMEOUT_MS,
    )
    try {
      return await this.written(words)
    } finally {
      clearTimeout(late)
    }
  }

  private async call(words: readonly string[]): Promise<unknown> {
    if (!this.isReady) throw new Error('Redis is unavailable')
    return this.written(words)
  }

  private async written(words: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.write([words], ([result]) => {
        if (result === undefined || result[0] !== null) reject(result?.[0] ?? new Error('Redis sent no reply'))
        else resolve(result[1])
      })
    })
  }

  private write(commands: readonly Command[], onReplies: (results: Result[]) => void): void {
    if (commands.length === 0) {
      onReplies([])
      return
    }
    let text = ''
    for (const words of commands) text += encodeCommand(words)
    this.waiting.push({ count: commands.length, results: [], onReplies })
    this.socket?.write(text)
  }

  private take(reply: Reply): void {
    const [first] = this.waiting
    if (first === undefined) throw new MalformedReply('Redis sent a reply to no command')
    first.results.push(reply instanceof RedisError ? [reply, null] : [null, reply])
    if (first.results.length < first.count) return
    this.waiting.shift()
    this.deliver(first, first.results)
  }

  /** A failure in one callback must not lose the other replies of the block. */
  private deliver({ onReplies }: Waiting, results: Result[]): void {
    try {
      onReplies(results)
    } catch (err) {
      this.options.logger.error({ err }, 'redis: the callback of a reply failed; the other replies are delivered')
    }
  }

  private closed(): void {
    const { waiting } = this
    const wasReady = this.isReady
    this.isReady = false
    this.waiting = []
    if (wasReady) for (const listener of this.closeListeners) listener()
    for (const lost of waiting) {
      const results = Array.from({ length: lost.count }, (): Result => [
        new Error('the connection to Redis was lost'),
        null,
      ])
      this.deliver(lost, results)
    }
    if (this.isDisconnected) return
    this.attempts += 1
    this.timer = setTimeout(() => this.open(), Math.min(this.attempts * RECONNECT_STEP_MS, RECONNECT_DELAY_MAX_MS))
  }

  /** Logs an outage once, until the connection is ready again. */
  private logOutage(err: unknown): void {
    if (!this.isOutageLogged)
      this.options.logger.warn({ err }, 'redis: connection lost; reconnecting, the fallback limiter decides meanwhile')
    this.isOutageLogged = true
  }
}
