import { connect } from 'node:net'

const ANSWER_WITHIN_MS = 60_000

export type RawAnswer = { statuses: number[]; text: string }
export type RawOptions = {
  localAddress?: string
  withinMs?: number
  /** Closes the connection when the head of an answer has arrived. */
  isEndedByAnswer?: boolean
}

/** Sends raw bytes on a new connection and returns everything received until it is closed. */
export function sendRaw(
  url: string,
  bytes: string,
  { localAddress, withinMs = ANSWER_WITHIN_MS, isEndedByAnswer = false }: RawOptions = {},
): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const chunks: Buffer[] = []
  const socket = connect({ host, port: Number(port), localAddress })
  const timer = setTimeout(
    () => socket.destroy(new Error(`the connection was still open after ${withinMs} ms`)),
    withinMs,
  )
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (isEndedByAnswer && Buffer.concat(chunks).includes('\r\n\r\n')) socket.destroy()
  })
  let failure: Error | undefined
  socket.on('error', (error) => (failure = error))
  socket.on('close', () => {
    clearTimeout(timer)
    const text = Buffer.concat(chunks).toString('latin1')
    if (text === '') reject(failure ?? new Error('the connection was closed without an answer'))
    else resolve({ text, statuses: statusesIn(text) })
  })
  socket.write(bytes, 'latin1')
  return promise
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** A loopback address that no other test uses. */
export function ownAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250)
  return `127.${part()}.${part()}.${part()}`
}

export type Lines = { method: string; target: string; headers?: string[]; body?: string }

/** A well-formed request except for the caller's additions. */
export function rawRequest({ method, target, headers = [], body = '' }: Lines): string {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body, 'latin1')}`]
  return [`${method} ${target} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, ...length, '', body].join(
    '\r\n',
  )
}
