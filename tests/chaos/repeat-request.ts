import { Agent, request } from 'node:http'

const PAUSE_MS = 5
const TIMEOUT_MS = 20_000

/** The request that a client repeats. */
export type RepeatedRequest = { method: 'GET' | 'POST'; path: string; token: string; body?: object }
export type RequestCounts = {
  /** Complete responses with status 200. */
  answered: number
  /** All other outcomes, by status or error. */
  failed: Record<string, number>
}

/** One client with one connection; sends the next request after each answer and never retries. */
export async function repeatRequest(
  url: string,
  repeated: RepeatedRequest,
  counts: RequestCounts,
  isDone: () => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!isDone()) {
    const outcome = await send(url, repeated, agent)
    if (outcome === '200') counts.answered += 1
    else counts.failed[outcome] = (counts.failed[outcome] ?? 0) + 1
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  agent.destroy()
}

/** The status of a complete response, otherwise the error. */
function send(url: string, { method, path, token, body }: RepeatedRequest, agent: Agent): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  const sent = request(url + path, { method, headers, agent, timeout: TIMEOUT_MS }, (reply) => {
    reply.on('error', (error) => resolve(String(error)))
    reply.on('end', () => resolve(reply.complete ? String(reply.statusCode) : 'a part of an answer'))
    reply.resume()
  })
  sent.on('timeout', () => sent.destroy(new Error('timed out')))
  sent.on('error', (error) => resolve(String(error)))
  sent.end(text)
  return promise
}
