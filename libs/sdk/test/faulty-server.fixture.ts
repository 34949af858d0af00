import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type ReceivedRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
  atMs: number
}
type Answer = (reply: ServerResponse, request: ReceivedRequest) => void

/** An HTTP server that answers each request with the next of the given answers, and the last one from then on; closed after the test. */
export async function startFaultyServer(...answers: Answer[]) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, reply) => {
    const answerTo = (body: unknown): void => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body, atMs: Date.now() }
      const answer = answers[Math.min(requests.length, answers.length - 1)]
      requests.push(one)
      answer?.(reply, one)
    }
    // A client that has left while its request was read needs no answer.
    void bodyOf(request).then(answerTo, () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${port}`, requests }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : JSON.parse(text)
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (reply) => {
    reply.writeHead(status, { 'content-type': 'application/json', ...headers })
    reply.end(JSON.stringify(body))
  }
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = { type: 'about:blank', title: code, status, code, detail: `It is ${code}.`, request_id: 'request-1' }
  return json(body, status, { 'content-type': 'application/problem+json', ...headers })
}

/** Ends the connection without an answer. */
export const hangUp: Answer = (reply) => void reply.destroy()
/** Never answers. */
export const silence: Answer = () => undefined
/** An answer whose second half is never sent. */
export function cut(body: unknown): Answer {
  return (reply) => {
    const text = JSON.stringify(body)
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) })
    reply.write(text.slice(0, text.length / 2), () => reply.destroy())
  }
}
