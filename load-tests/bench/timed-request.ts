import { type Agent, request } from 'node:http'

export type TimedRequest = {
  port: number
  path: string
  method?: string
  headers?: Record<string, string>
  body?: object
  /** Source address in this machine's loopback network; a different address counts as a different caller. */
  localAddress?: string
  agent?: Agent
}
export type TimedAnswer = { status: number; ms: number; text: string }

const TIMEOUT_MS = 30_000

/** Timed from the first byte sent to the last byte received; a broken connection has status 0. */
export function timedRequest({ port, path, body, headers, ...options }: TimedRequest): Promise<TimedAnswer> {
  const { promise, resolve } = Promise.withResolvers<TimedAnswer>()
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const type = payload === undefined ? {} : { 'content-type': 'application/json' }
  const startMs = performance.now()
  const pending = request({
    host: '127.0.0.1',
    port,
    path,
    timeout: TIMEOUT_MS,
    ...options,
    headers: { ...headers, ...type },
  })
  pending.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: response.statusCode ?? 0, ms: performance.now() - startMs, text })
    })
  })
  pending.on('timeout', () => pending.destroy())
  pending.on('error', (error) => resolve({ status: 0, ms: performance.now() - startMs, text: String(error) }))
  pending.end(payload)
  return promise
}

/** The loopback address with number `n`, of almost 16 million. */
export function loopbackAddress(n: number): string {
  return `127.${1 + (n % 250)}.${1 + (Math.floor(n / 250) % 250)}.${1 + (Math.floor(n / 62_500) % 250)}`
}
