import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { endpointFault, type EndpointRules } from '@tapeline/service/outbound/check-endpoint'
import { createGuardedLookup, PrivateAddress, type ResolveName } from '@tapeline/service/outbound/guarded-lookup'
import type { StoredAnswer } from '../webhook-tables.ts'

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string }
/** `error`: why there was no complete answer, such as `timeout`. */
export type PostResult = { answer: StoredAnswer } | { error: string }
export type WebhookPoster = { post: (request: WebhookRequest) => Promise<PostResult>; close: () => void }

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 65_536
const STORED_CHARACTERS_MAX = 4_096
const STORED_HEADERS = ['content-type', 'date', 'location', 'retry-after', 'server', 'x-request-id']
const HEADER_CHARACTERS_MAX = 200
const PRIVATE_ADDRESS = 'private_address'

export type PosterOptions = { rules: EndpointRules; timeoutMs?: number; resolve?: ResolveName }

/**
 * Posts to URLs that users name: only to the public internet, checked for each connection after the name was
 * resolved; without redirects; with a limit for the whole answer in time and size.
 */
export function createWebhookPoster({ rules, timeoutMs = TIMEOUT_MS, resolve }: PosterOptions): WebhookPoster {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const lookup = createGuardedLookup(rules, resolve)

  async function post({ url, headers, body }: WebhookRequest): Promise<PostResult> {
    // The lookup is skipped for a host that is an address, so that is checked here.
    if (endpointFault(url, rules) !== undefined) return { error: PRIVATE_ADDRESS }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return { answer: await readAnswer(await send(new URL(url), { headers, body, signal })) }
    } catch (error) {
      return { error: signal.aborted ? 'timeout' : reasonOf(error) }
    }
  }

  type Sent = { headers: Record<string, string>; body: string; signal: AbortSignal }

  function send(url: URL, { headers, body, signal }: Sent): Promise<IncomingMessage> {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method: 'POST', headers: { ...headers, ...length }, lookup, signal }
    return new Promise((resolve, reject) => {
      const sending =
        url.protocol === 'http:'
          ? requestHttp(url, { ...options, agent: agents.http }, resolve)
          : requestHttps(url, { ...options, agent: agents.https }, resolve)
      sending.once('error', reject)
      sending.end(body)
    })
  }

  return {
    post,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Reads at most 64 KB; a longer answer is cut and its connection closed. */
async function readAnswer(answer: IncomingMessage): Promise<StoredAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    const piece = Buffer.from(chunk)
    chunks.push(piece)
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) {
      answer.destroy()
      break
    }
  }
  // PostgreSQL stores no NUL in a text.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\u{fffd}')
  return {
    status: answer.statusCode ?? 0,
    headers: storedHeaders(answer),
    body: text.slice(0, STORED_CHARACTERS_MAX).toWellFormed(),
    is_truncated: text.length > STORED_CHARACTERS_MAX,
  }
}

function storedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    STORED_HEADERS.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value.slice(0, HEADER_CHARACTERS_MAX)]] : []
    }),
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return PRIVATE_ADDRESS
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code.toLowerCase() : 'connection_failed'
}
