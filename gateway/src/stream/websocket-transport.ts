import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { FrameBoundary } from './frame-boundary.ts'
import { closeFrame, PING_FRAME, textFrame } from './frames.ts'
import { closeReason, problemText, type StreamEnd, type StreamTransport } from './stream-transport.ts'

/** A connection during the upgrade: bytes that the client sent after its request are processed first. */
export type Switching = { socket: Socket; head: Buffer }

/** For the client's half of the closing handshake, and for what it has not read yet. */
const CLOSE_WITHIN_MS = 1_000
/** A client that sends nothing gets a ping after the first time, and counts as disconnected after the second. */
const PING_AFTER_MS = 20_000
const SILENCE_MAX_MS = 60_000

/** The client's side of a WebSocket: bytes pass in both directions as they are. */
export class WebSocketTransport implements StreamTransport {
  readonly openStatus = 101
  readonly boundary = new FrameBoundary()
  readonly client: Socket
  bytesIn = 0
  private readonly head: Buffer
  private readonly reply: ServerResponse
  private service: Writable | undefined
  private isOpen = false
  private lastReceivedAtMs = performance.now()
  private pingedAtMs = 0

  constructor({ socket, head }: Switching, reply: ServerResponse) {
    this.client = socket
    this.head = head
    this.reply = reply
  }

  /** The service's connection has switched. */
  connect(service: Writable): void {
    this.service = service
  }

  open(headers: readonly string[]): void {
    const { client, head } = this
    this.isOpen = true
    this.reply.detachSocket(client)
    client.write(switchingHead(headers), 'latin1')
    if (head.length > 0) this.forward(head)
    client.on('data', (chunk: Buffer) => this.forward(chunk))
    client.on('end', () => this.service?.end())
  }

  endMessage({ reason, code, problem }: StreamEnd, requestId: string): Buffer {
    const texts = [problemText(problem, requestId), closeReason(reason)]
    return Buffer.concat([...texts.map(textFrame), closeFrame(code, problem.code)])
  }

  close(): void {
    const { client } = this
    client.end()
    setTimeout(() => client.destroy(), CLOSE_WITHIN_MS).unref()
  }

  /** RFC 6455 obliges clients to answer a ping: silence after one means that the connection is half open. */
  checkAlive(nowMs: number): boolean {
    const silentMs = nowMs - this.lastReceivedAtMs
    if (silentMs > SILENCE_MAX_MS) return false
    const isDue = this.isOpen && silentMs > PING_AFTER_MS && nowMs - this.pingedAtMs > PING_AFTER_MS
    if (isDue && this.boundary.isBetween) {
      this.pingedAtMs = nowMs
      this.client.write(PING_FRAME)
    }
    return true
  }

  private forward(chunk: Buffer): void {
    const { client, service } = this
    this.lastReceivedAtMs = performance.now()
    this.bytesIn += chunk.length
    if (service === undefined || service.write(chunk)) return
    client.pause()
    service.once('drain', () => client.resume())
  }
}

function switchingHead(headers: readonly string[]): string {
  let text = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n'
  for (let n = 0; n + 1 < headers.length; n += 2) {
    if (headers[n] !== 'connection') text += `${headers[n]}: ${headers[n + 1]}\r\n`
  }
  return `${text}\r\n`
}
