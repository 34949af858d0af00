import type { Message } from './feed-block.ts'
import type { Transport } from './stream-connection.ts'

const TICK_MS = 50
const MS_PER_SECOND = 1_000

/**
 * Sends at most `perSecond` messages a second, with a burst of one second's messages; the others wait in order and count
 * as bytes that the client has not received. Waiting messages are sent before the end. 0: no limit.
 */
export function pacedTransport(transport: Transport, perSecond: number): Transport {
  return perSecond === 0 ? transport : new PacedTransport(transport, perSecond)
}

class PacedTransport implements Transport {
  private readonly transport: Transport
  private readonly perSecond: number
  private waiting: Message[] = []
  private waitingBytes = 0
  private allowance: number
  private atMs = performance.now()
  private timer: NodeJS.Timeout | undefined

  constructor(transport: Transport, perSecond: number) {
    this.transport = transport
    this.perSecond = perSecond
    this.allowance = perSecond
  }

  send(message: Message): void {
    if (this.waiting.length === 0 && this.mayPass()) {
      this.transport.send(message)
      return
    }
    this.waiting.push(message)
    this.waitingBytes += message.json.length
    this.timer ??= setInterval(() => this.release(), TICK_MS)
  }

  bufferedBytes(): number {
    return this.transport.bufferedBytes() + this.waitingBytes
  }

  end(code: number, reason: string): void {
    this.stop()
    for (const message of this.waiting.splice(0)) this.transport.send(message)
    this.waitingBytes = 0
    this.transport.end(code, reason)
  }

  /** The client has disconnected. */
  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private release(): void {
    while (this.waiting.length > 0 && this.mayPass()) {
      const message = this.waiting.shift()
      if (message === undefined) break
      this.waitingBytes -= message.json.length
      this.transport.send(message)
    }
    if (this.waiting.length === 0) this.stop()
  }

  private mayPass(): boolean {
    const nowMs = performance.now()
    const earned = ((nowMs - this.atMs) / MS_PER_SECOND) * this.perSecond
    this.atMs = nowMs
    this.allowance = Math.min(this.perSecond, this.allowance + earned)
    if (this.allowance < 1) return false
    this.allowance -= 1
    return true
  }
}

/** The limit that the gateway sets for a connection; without the header there is none. */
export function messagesPerSecondOf(header: string | string[] | undefined): number {
  const value = Number(header)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}
