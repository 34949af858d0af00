import { scripts } from '../src/limiter/scripts/scripts.ts'
import type { Command, LimiterStore, Result } from '../src/limiter/redis/limiter-store.ts'

export type Delays = { upMs: () => number; downMs: () => number }
type OnReplies = (results: Result[]) => void
type Exchange = { dueMs: number; commands: readonly Command[]; onReplies: OnReplies; results: Result[] }

/** Where each script takes the clock, counted from its first argument. */
const CLOCK_AT = new Map([
  [scripts.decide.sha, 18],
  [scripts.merge.sha, 4],
  [scripts.mergeKey.sha, 5],
])
const LOST = new Error('the connection was lost')

/** A connection to the real Redis whose requests and replies are delayed by the test, on the clock of `Date.now`. */
export class SlowConnection implements LimiterStore {
  readonly isSplit = false
  delays: Delays = { upMs: () => 0, downMs: () => 0 }
  /** Decisions that Redis made and whose replies never arrived. */
  lost = 0
  private up: Exchange[] = []
  private down: Exchange[] = []
  private backAtMs = 0
  private isOpen = false
  private readonly readyListeners: (() => void)[] = []
  private readonly closeListeners: (() => void)[] = []
  private readonly inner: LimiterStore

  constructor(inner: LimiterStore) {
    this.inner = inner
  }

  send(commands: readonly Command[], onReplies: OnReplies): void {
    if (!this.isOpen) onReplies(commands.map(() => [LOST, null]))
    else this.up.push({ dueMs: dueAfter(this.up, this.delays.upMs()), commands, onReplies, results: [] })
  }

  async evaluate({ sha }: { sha: string }, keys: readonly string[], argv: readonly (string | number)[]) {
    return this.sendOne(['EVALSHA', sha, String(keys.length), ...keys, ...argv.map(String)])
  }

  async ping(): Promise<void> {
    await this.sendOne(['PING'])
  }

  onReady(listener: () => void): void {
    this.readyListeners.push(listener)
  }

  onClose(listener: () => void): void {
    this.closeListeners.push(listener)
  }

  async loadScripts(): Promise<void> {
    await this.inner.loadScripts(Object.values(scripts))
  }

  async runIds(): Promise<string> {
    return 'one'
  }

  reconnect(): void {
    this.cut(50)
  }

  disconnect(): void {
    this.inner.disconnect()
  }

  /** Whatever is under way is lost; the connection is back after this time. */
  cut(forMs: number): void {
    const exchanges = [...this.down, ...this.up]
    this.lost += this.down.length
    this.up = []
    this.down = []
    this.isOpen = false
    this.backAtMs = Date.now() + forMs
    for (const listener of this.closeListeners) listener()
    for (const { commands, onReplies } of exchanges) onReplies(commands.map(() => [LOST, null]))
  }

  /** Delivers what is due: requests to Redis, then replies to the client. */
  async step(): Promise<void> {
    if (!this.isOpen && Date.now() >= this.backAtMs) {
      this.isOpen = true
      for (const listener of this.readyListeners) listener()
    }
    const arrived = takeDue(this.up)
    if (arrived.length > 0) await Promise.all(arrived.map((exchange) => this.execute(exchange)))
    for (const exchange of arrived) {
      exchange.dueMs = dueAfter(this.down, this.delays.downMs())
      this.down.push(exchange)
    }
    for (const { onReplies, results } of takeDue(this.down)) onReplies(results)
  }

  private execute(exchange: Exchange): Promise<void> {
    return new Promise((resolve) => {
      this.inner.send(exchange.commands.map(withClock), (results) => {
        exchange.results = results
        resolve()
      })
    })
  }

  private sendOne(words: Command): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.send([words], ([result]) => {
        if (result === undefined || result[0] !== null) reject(result?.[0] ?? LOST)
        else resolve(result[1])
      })
    })
  }
}

function withClock(words: Command): Command {
  const at = CLOCK_AT.get(words[1] ?? '')
  return at === undefined ? words : words.with(3 + Number(words[2]) + at, String(Date.now()))
}

/** In the order of one connection: nothing overtakes what was sent before. */
function dueAfter(exchanges: readonly Exchange[], delayMs: number): number {
  return Math.max(exchanges.at(-1)?.dueMs ?? 0, Date.now() + delayMs)
}

function takeDue(exchanges: Exchange[]): Exchange[] {
  const first = exchanges.findIndex(({ dueMs }) => dueMs > Date.now())
  return exchanges.splice(0, first === -1 ? exchanges.length : first)
}
