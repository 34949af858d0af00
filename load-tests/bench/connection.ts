import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { readResponse } from './read-response.ts'

export type Destination = { host: string; port: number; path: string; headers: Record<string, string> }
type OnResponse = (connection: Connection, status: number) => void

/** A keep-alive connection with one request at a time; it reconnects when the server closes it. */
export class Connection {
  /** Intended start of the current request, by `performance.now()`. */
  intendedAtMs = 0
  reconnects = 0
  isEnded = false
  readonly #request: Buffer
  readonly #destination: Destination
  readonly #onResponse: OnResponse
  #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #isWaiting = false

  constructor(destination: Destination, onResponse: OnResponse) {
    this.#destination = destination
    this.#onResponse = onResponse
    this.#request = Buffer.from(requestText(destination))
    this.#socket = this.#open()
  }

  async untilOpen(): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect')
  }

  send(intendedAtMs: number): void {
    this.intendedAtMs = intendedAtMs
    this.#isWaiting = true
    this.#socket.write(this.#request)
  }

  end(): void {
    this.isEnded = true
    this.#socket.destroy()
  }

  #open(): Socket {
    const { host, port } = this.#destination
    const socket = connect({ host, port, noDelay: true })
    socket.on('data', (chunk) => this.#take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#closed())
    return socket
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const response = readResponse(this.#received)
    if (response === undefined) return
    this.#received = this.#received.subarray(response.length)
    this.#isWaiting = false
    if (response.isClosing) this.#reopen()
    this.#onResponse(this, response.status)
  }

  /** A missing answer has status 0, which never counts as expected. */
  #closed(): void {
    if (this.isEnded) return
    const wasWaiting = this.#isWaiting
    this.#reopen()
    if (wasWaiting) this.#onResponse(this, 0)
  }

  #reopen(): void {
    this.#socket.removeAllListeners().on('error', () => undefined)
    this.#socket.destroy()
    this.#received = Buffer.alloc(0)
    this.#isWaiting = false
    this.reconnects += 1
    this.#socket = this.#open()
  }
}

function requestText({ host, port, path, headers }: Destination): string {
  const lines = Object.entries({ host: `${host}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
