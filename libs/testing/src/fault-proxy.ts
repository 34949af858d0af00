import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'

/**
 * `pass`: unchanged. `hang`: no data in either direction. `late`: requests pass, responses are held back. `slow`:
 * responses are delayed, by default two seconds. `refuse`: nothing listens, open connections end. `reset`: accepted
 * and reset immediately.
 */
export type Fault = 'pass' | 'hang' | 'late' | 'slow' | 'refuse' | 'reset'

export type FaultProxy = {
  port: number
  /** Connects new clients to another server. */
  pointAt: (url: string) => void
  setFault: (fault: Fault, slowMs?: number) => void
  /**
   * Resolves when a client has sent this word. From then on its connection is half-open: no data and no end pass
   * in either direction, while other connections work.
   */
  silenceNext: (word: string) => Promise<void>
  /** How often a word occurred in the data sent by clients, including data that was held back. */
  occurrences: (word: string) => number
  stop: () => Promise<void>
}

const SLOW_MS = 2_000

type DelayedChunk = { to: Socket; chunk: Buffer }
/** `delayed`: slow responses in order, which a change of the fault must not alter. */
type Pair = { client: Socket; server: Socket; paused: DelayedChunk[]; delayed: DelayedChunk[]; isSilent: boolean }
type Silencing = { word: string; onSilent: () => void }

/**
 * TCP proxy in front of a real server, which makes the server unavailable to one process without stopping it for
 * others. `isRecording`: keeps all client data for `occurrences`; off for long-running proxies.
 */
export async function startFaultProxy(url: string, { isRecording = true } = {}): Promise<FaultProxy> {
  const wire = new Wire(new URL(url), isRecording)
  const port = await wire.listen()
  return {
    port,
    pointAt: (next) => wire.pointAt(new URL(next)),
    setFault: (fault, slowMs) => wire.setFault(fault, slowMs),
    silenceNext: (word) => new Promise((resolve) => (wire.silencing = { word, onSilent: resolve })),
    occurrences: (word) => wire.received.join('').split(word).length - 1,
    stop: () => wire.stop(),
  }
}

class Wire {
  readonly received: string[] = []
  silencing: Silencing | undefined
  private readonly pairs = new Set<Pair>()
  private readonly server = createServer({ noDelay: true }, (client) => this.join(client))
  private fault: Fault = 'pass'
  private slowMs = SLOW_MS
  private port = 0
  private isListening = true
  private closed = Promise.resolve()
  private target: URL

  private readonly isRecording: boolean

  constructor(target: URL, isRecording: boolean) {
    this.target = target
    this.isRecording = isRecording
  }

  /** Not on a port of the ephemeral range: while the proxy refuses, another socket could take it. */
  async listen(): Promise<number> {
    this.port = await takeFreePort()
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    return this.port
  }

  pointAt(target: URL): void {
    this.target = target
  }

  setFault(next: Fault, slowMs = SLOW_MS): void {
    this.fault = next
    this.slowMs = slowMs
    this.listenOrNot()
    for (const pair of this.pairs) {
      if (next === 'refuse' || next === 'reset') end(pair.client, next)
      else {
        pair.paused.unshift(...pair.delayed.splice(0))
        if (next !== 'hang') for (const delayedChunk of pair.paused.splice(0)) this.carry(pair, delayedChunk)
      }
    }
  }

  async stop(): Promise<void> {
    this.setFault('refuse')
    await this.closed
  }

  private join(client: Socket): void {
    if (this.fault === 'refuse' || this.fault === 'reset') {
      end(client, this.fault)
      return
    }
    const server = connect(Number(this.target.port), this.target.hostname)
    const pair: Pair = { client, server, paused: [], delayed: [], isSilent: false }
    this.pairs.add(pair)
    client.on('data', (chunk: Buffer) => {
      if (this.isRecording) this.received.push(chunk.toString('latin1'))
      this.silenceIfNamed(pair, chunk)
      this.carry(pair, { to: server, chunk })
    })
    server.on('data', (chunk: Buffer) => this.carry(pair, { to: client, chunk }))
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        if (pair.isSilent && socket === server) return
        this.pairs.delete(pair)
        client.destroy()
        server.destroy()
      })
    }
  }

  private silenceIfNamed(pair: Pair, chunk: Buffer): void {
    if (this.silencing === undefined || !chunk.includes(this.silencing.word)) return
    pair.isSilent = true
    this.silencing.onSilent()
    this.silencing = undefined
  }

  private carry(pair: Pair, delayedChunk: DelayedChunk): void {
    if (pair.isSilent) return
    const isAnswer = delayedChunk.to === pair.client
    if (pair.paused.length > 0 || this.fault === 'hang' || (this.fault === 'late' && isAnswer))
      pair.paused.push(delayedChunk)
    else if (this.fault === 'slow' && isAnswer) this.delay(pair, delayedChunk)
    else write(delayedChunk)
  }

  private delay({ delayed }: Pair, delayedChunk: DelayedChunk): void {
    delayed.push(delayedChunk)
    setTimeout(() => {
      const due = delayed.splice(0, delayed.indexOf(delayedChunk) + 1)
      for (const one of due) write(one)
    }, this.slowMs)
  }

  /** An unavailable server is an address where nothing listens, not one that closes connections. */
  private listenOrNot(): void {
    const { fault, isListening, server, port } = this
    this.isListening = fault !== 'refuse'
    if (isListening && !this.isListening) this.closed = new Promise((resolve) => server.close(() => resolve()))
    else if (!isListening && this.isListening) {
      void this.closed.then(() => {
        // It may have been stopped meanwhile.
        if (this.isListening && !server.listening) server.listen(port, '127.0.0.1')
      })
    }
  }
}

function write({ to, chunk }: DelayedChunk): void {
  if (!to.destroyed) to.write(chunk)
}

function end(socket: Socket, how: 'refuse' | 'reset'): void {
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}
