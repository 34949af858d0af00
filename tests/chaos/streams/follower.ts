import type { Random } from '../random.ts'
import { pause } from '../drill.ts'

export type Subscription = {
  channel: 'trades' | 'l2events'
  venues: readonly string[]
  symbols: readonly string[]
  /** RFC 3339. */
  start: string
}
export type FollowOptions = { urls: readonly string[]; apiKey: string; subscription: Subscription; random: Random }

type Message = {
  type: string
  cursor?: string
  data?: Record<string, unknown>[]
  problem?: { code?: string; status?: number }
}

const PROTOCOL = 'tapeline.v1'
const AGAIN_AFTER_MS = { least: 50, most: 400 }
const SERVER_FAULT = 500
const FAULT_CHARACTERS_MAX = 400

/** Interned texts, because many followers receive the same records. */
const texts = new Map<string, string>()

/** A client that reconnects with its last cursor, to any gateway, until it is stopped. */
export class Follower {
  readonly channel: Subscription['channel']
  /** Records in the order of their arrival as JSON, without `ts_out`. */
  readonly records: string[] = []
  /** Violations of the protocol or of the order. */
  readonly faults: string[] = []
  connections = 0
  private cursor: string | undefined
  private socket: WebSocket | undefined
  private isStopped = false
  private readonly running: Promise<void>
  private readonly options: FollowOptions

  constructor(options: FollowOptions) {
    this.options = options
    this.channel = options.subscription.channel
    this.running = this.run()
  }

  /** Drops its connection: what arrives afterwards is not read. */
  cut(): void {
    const ended = this.socket
    this.socket = undefined
    ended?.close()
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.cut()
    await this.running
  }

  private async run(): Promise<void> {
    const { urls, random } = this.options
    while (!this.isStopped) {
      await this.follow(urls[random.between(0, urls.length - 1)] ?? '')
      this.socket = undefined
      await pause(random.between(AGAIN_AFTER_MS.least, AGAIN_AFTER_MS.most))
    }
  }

  /** Resolves when the connection has ended. */
  private follow(url: string): Promise<void> {
    const { apiKey } = this.options
    const { promise, resolve } = Promise.withResolvers<void>()
    const opened = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
      protocols: [PROTOCOL],
      headers: { 'x-api-key': apiKey },
    })
    this.socket = opened
    opened.addEventListener('open', () => this.subscribe(opened))
    opened.addEventListener('message', ({ data }) => {
      if (this.socket === opened) this.take(JSON.parse(String(data)))
    })
    opened.addEventListener('close', () => resolve())
    opened.addEventListener('error', () => resolve())
    return promise
  }

  private subscribe(opened: WebSocket): void {
    const { cursor, channel } = this
    this.connections += 1
    const place = cursor === undefined ? this.options.subscription : { cursor }
    opened.send(JSON.stringify({ op: 'subscribe', id: 'a', channel, ...place }))
  }

  private take({ type, data = [], cursor, problem }: Message): void {
    if (type === this.channel) for (const record of data) this.records.push(textOf(record))
    if (type === 'late') this.faults.push(`late: ${JSON.stringify(data).slice(0, FAULT_CHARACTERS_MAX)}`)
    if (type === 'error') this.takeError(problem)
    this.cursor = cursor ?? this.cursor
  }

  /** The service may be unavailable while it restarts; a rejected subscription is a fault. */
  private takeError({ status = SERVER_FAULT, code = '' }: Message['problem'] = {}): void {
    if (status < SERVER_FAULT) this.faults.push(`error: ${code}`)
    this.cut()
  }
}

/** The record as the list call returns it. */
export function textOf(record: Record<string, unknown>): string {
  const text = JSON.stringify({ ...record, ts_out: undefined })
  const existing = texts.get(text)
  if (existing !== undefined) return existing
  texts.set(text, text)
  return text
}
