import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type ReceivedRequest = {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}
type Answer = (reply: ServerResponse, request: ReceivedRequest) => void

/** An HTTP server with an answer for each path (404 otherwise); closed after the test. */
export async function startApiServer(answers: Readonly<Record<string, Answer>>) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, reply) => {
    const answerTo = (body: string): void => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
      const one = {
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: body === '' ? undefined : (JSON.parse(body) as unknown),
      }
      requests.push(one)
      const answer = answers[pathname] ?? problem(404, 'route.not_found')
      answer(reply, one)
    }
    // A client that has left while its request was read needs no answer.
    void text(request).then(answerTo, () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Answers 200 with this body. */
export function json(body: unknown): Answer {
  return (reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A problem (RFC 9457) with this status and code. */
export function problem(status: number, code: string, errors: { field: string; message: string }[] = []): Answer {
  const body = { type: 'about:blank', title: code, status, code, detail: `It is ${code}.`, errors, request_id: 'r1' }
  return (reply) => reply.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
}
