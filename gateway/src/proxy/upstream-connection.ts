import { connect, type Socket } from 'node:net'
import { ChunkedReader } from './chunked-reader.ts'
import { type ResponseHead, MalformedResponse, readResponseHead } from './read-response-head.ts'
import { requestHead } from './request-head.ts'
import type { ResponseHandler, UpstreamRequest } from './upstream-request.ts'
import { writeBody } from './write-body.ts'

export type ConnectionOptions = {
  host: string
  port: number
  connectTimeoutMs: number
  /** It may be used again. */
  onIdle: (connection: UpstreamConnection) => void
  onClosed: (connection: UpstreamConnection) => void
}

/** The connection ended before the answer did: a repeatable request may be sent again. */
class ConnectionLost extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

const READ_BYTES = 65_536
const HEAD_BYTES_MAX = 16_384
const HEAD_END = '\r\n\r\n'

/** All connections read into the same block: it is parsed, or copied, before the next read. */
const block = Buffer.allocUnsafeSlow(READ_BYTES)

type Expects = 'nothing' | 'head' | 'bytes' | 'chunks' | 'end of connection'

/** One kept-alive connection to a service: one request at a time, answers read strictly. */
export class UpstreamConnection {
  idleSinceMs = 0
  private expects: Expects = 'nothing'
  private handler: ResponseHandler | undefined
  private isHead = false
  private isReusable = true
  private isPaused = false
  /** The request's body is not sent completely: an answer before its end closes the connection. */
  private isBodyLeft = false
  private unfinishedHead = ''
  private bytesLeft = 0
  private chunks: ChunkedReader | undefined
  /** Incremented with every request and its end, so that a late abort or resume does not affect a later request. */
  private turn = 0
  private failure: Error | undefined
  private onSwitched: UpstreamRequest['onSwitched']
  private readonly socket: Socket
  private readonly options: ConnectionOptions
  private readonly hostHeader: string

  constructor(options: ConnectionOptions) {
    const { host, port, connectTimeoutMs } = options
    this.options = options
    this.hostHeader = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const onread = { buffer: block, callback: (bytes: number) => this.take(bytes) }
    this.socket = connect({ host, port, noDelay: true, onread })
    const timer = setTimeout(() => {
      this.socket.destroy(new ConnectionLost('no connection in time', 'CONNECT_TIMEOUT'))
    }, connectTimeoutMs)
    this.socket.once('connect', () => clearTimeout(timer))
    this.socket.on('end', () => this.ended())
    this.socket.on('error', (error) => (this.failure ??= error))
    this.socket.on('close', () => {
      clearTimeout(timer)
      this.closed()
    })
  }

  send(request: UpstreamRequest, handler: ResponseHandler): void {
    this.turn += 1
    const { turn } = this
    let isAborted = false
    handler.onConnect((error) => {
      isAborted = true
      if (this.turn === turn && this.handler !== undefined) this.abort(error ?? new Error('aborted'))
    })
    if (isAborted) {
      this.options.onIdle(this)
      return
    }
    this.handler = handler
    this.expects = 'head'
    this.isHead = request.method === 'HEAD'
    this.isReusable = true
    this.onSwitched = request.onSwitched
    const head = requestHead(request, this.hostHeader)
    if (head === undefined) this.abort(new MalformedResponse('the request cannot be written'))
    else this.write(head, request)
  }

  /** Not used from now on, also while the socket is still closing. */
  destroy(): void {
    this.options.onClosed(this)
    this.socket.destroy()
  }

  private write(head: string, { body, contentLength }: UpstreamRequest): void {
    if (body === null) this.socket.write(head, 'latin1')
    else if (Buffer.isBuffer(body)) {
      this.socket.cork()
      this.socket.write(head, 'latin1')
      this.socket.write(body)
      this.socket.uncork()
    } else {
      this.socket.write(head, 'latin1')
      this.writeStream(body, contentLength)
    }
  }

  private writeStream(body: AsyncIterable<Buffer>, contentLength: number | undefined): void {
    const { turn } = this
    this.isBodyLeft = true
    const isObsolete = (): boolean => this.turn !== turn || this.socket.destroyed
    writeBody(this.socket, { body, contentLength, isObsolete }).then(
      () => {
        if (!isObsolete()) this.isBodyLeft = false
      },
      (error: Error) => {
        if (this.turn === turn && this.handler !== undefined) this.abort(error)
      },
    )
  }

  /** Bytes arrived; false stops reading. Unsolicited bytes end the connection: they could be taken for the next answer. */
  private take(bytes: number): boolean {
    let at = 0
    try {
      while (at < bytes && this.handler !== undefined) at = this.read(this.handler, at, bytes)
      if (at < bytes) this.destroy()
    } catch (error) {
      this.abort(error instanceof Error ? error : new Error(String(error)))
    }
    return !this.isPaused
  }

  private read(handler: ResponseHandler, at: number, to: number): number {
    if (this.expects === 'head') return this.readHead(handler, at, to)
    if (this.expects === 'chunks' && this.chunks !== undefined) {
      const end = this.chunks.read(block, at, to, (from, until) => this.deliver(handler, from, until))
      if (this.chunks.isDone && this.handler === handler) this.complete(handler)
      return end
    }
    const isCounted = this.expects === 'bytes'
    const end = isCounted ? Math.min(to, at + this.bytesLeft) : to
    this.deliver(handler, at, end)
    this.bytesLeft -= end - at
    if (isCounted && this.bytesLeft === 0 && this.handler === handler) this.complete(handler)
    return end
  }

  private readHead(handler: ResponseHandler, at: number, to: number): number {
    const before = this.unfinishedHead.length
    const text = this.unfinishedHead + block.toString('latin1', at, Math.min(to, at + HEAD_BYTES_MAX))
    const end = text.indexOf(HEAD_END)
    if (end === -1) {
      if (text.length >= HEAD_BYTES_MAX) throw new MalformedResponse('the head of the response is too long')
      this.unfinishedHead = text
      return to
    }
    this.unfinishedHead = ''
    const head = readResponseHead(text.slice(0, end + 2))
    if (head.status === 101) this.switchProtocol(handler, head)
    else if (head.status >= 200) this.begin(handler, head)
    return at + end + HEAD_END.length - before
  }

  private begin(handler: ResponseHandler, head: ResponseHead): void {
    const { turn } = this
    const { length, isChunked } = head
    this.isReusable = head.isReusable
    this.chunks = isChunked ? new ChunkedReader() : undefined
    this.bytesLeft = length ?? 0
    this.expects = isChunked ? 'chunks' : length === undefined ? 'end of connection' : 'bytes'
    handler.onHeaders(head.status, head.headers, () => {
      if (this.turn === turn) this.resume()
    })
    if (this.isWithoutBody(head) && this.handler === handler) this.complete(handler)
  }

  /** From here on both directions are bytes of another protocol, until one side closes the connection. */
  private switchProtocol(handler: ResponseHandler, { headers }: ResponseHead): void {
    const { turn, onSwitched } = this
    if (onSwitched === undefined) throw new MalformedResponse('the service switched to another protocol')
    this.isReusable = false
    this.expects = 'end of connection'
    handler.onHeaders(101, headers, () => {
      if (this.turn === turn) this.resume()
    })
    if (this.handler === handler) onSwitched(this.socket)
  }

  private isWithoutBody({ status, length }: ResponseHead): boolean {
    return this.isHead || status === 204 || status === 304 || length === 0
  }

  private deliver(handler: ResponseHandler, from: number, to: number): void {
    if (this.handler !== handler) return
    if (!handler.onData(Buffer.from(block.subarray(from, to)))) this.isPaused = true
  }

  private resume(): void {
    this.isPaused = false
    this.socket.resume()
  }

  private complete(handler: ResponseHandler): void {
    const isReusable = this.isReusable && !this.isBodyLeft
    this.reset()
    if (isReusable) this.options.onIdle(this)
    else this.destroy()
    handler.onComplete()
  }

  private abort(error: Error): void {
    const { handler } = this
    this.reset()
    this.destroy()
    handler?.onError(error)
  }

  private reset(): void {
    this.turn += 1
    this.handler = undefined
    this.expects = 'nothing'
    this.isPaused = false
    this.isBodyLeft = false
    this.unfinishedHead = ''
  }

  private ended(): void {
    if (this.handler === undefined) this.destroy()
    if (this.expects !== 'end of connection' || this.handler === undefined) return
    this.isReusable = false
    this.complete(this.handler)
  }

  private closed(): void {
    this.options.onClosed(this)
    if (this.handler === undefined) return
    this.abort(this.failure ?? new ConnectionLost('the connection ended before the response', 'ECONNRESET'))
  }
}
