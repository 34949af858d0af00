import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'

export type Sent = {
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | undefined
  timeoutMs: number
}
/** The body of a 5xx response is not read. */
export type Answered = { status: number; text: string }

const plain = { request: httpRequest, agent: new Agent({ keepAlive: true }) }
let encrypted: Promise<typeof plain> | undefined

/**
 * Sends one request over a kept-alive connection. Not `fetch`, whose implementation would add memory to every
 * process.
 */
export async function sendRequest(sent: Sent): Promise<Answered> {
  const signal = AbortSignal.timeout(sent.timeoutMs)
  try {
    return await sendOnce(sent, signal)
  } catch (error) {
    if (!(error instanceof ConnectionWasOld) || sent.method !== 'GET') throw error
    return sendOnce(sent, signal)
  }
}

/** The server closed the kept-alive connection at the moment it was reused. */
class ConnectionWasOld extends Error {}

async function sendOnce({ url, method, headers, body }: Sent, signal: AbortSignal): Promise<Answered> {
  const { request: open, agent } = url.protocol === 'https:' ? await (encrypted ??= loadEncrypted()) : plain
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const request = open(url, { method, headers, agent, signal }, (response) => {
    read(response).then(resolve, reject)
  })
  request.on('error', (error: Error & { code?: string }) => {
    const isOld = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    reject(isOld ? new ConnectionWasOld(error.message) : error)
  })
  request.end(body)
  return promise
}

async function loadEncrypted(): Promise<typeof plain> {
  const { Agent: EncryptedAgent, request } = await import('node:https')
  return { request, agent: new EncryptedAgent({ keepAlive: true }) }
}

async function read(response: IncomingMessage): Promise<Answered> {
  const { statusCode: status = 0 } = response
  if (status >= 500) {
    // An unread body would keep the connection occupied.
    response.destroy()
    return { status, text: '' }
  }
  response.setEncoding('utf8')
  let text = ''
  for await (const piece of response) text += String(piece)
  return { status, text }
}
