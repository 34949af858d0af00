import { readCredential } from '../auth/authenticate.ts'
import type { McpRelay } from '../mcp/mcp-relay.ts'
import { bodyTooLarge, newProblem } from '../problems/problem.ts'
import { BodyTooLarge, type ForwardBody } from '../proxy/forwarded-request.ts'
import { readBody } from './request-body.ts'
import type { RequestContext } from './request-context.ts'

/** Messages name a tool and its arguments. */
const BODY_BYTES_MAX = 65_536
/** Headers that the transport reads; a body is JSON text. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version']
const unanswered = newProblem('service.unavailable', 'The MCP server did not answer. Try again in a second.', 1)

/** Answers a message of an MCP client whose credential has been accepted. The calls of its tools are counted, it is not. */
export function serveMcp(context: RequestContext, relay: Pick<McpRelay, 'answer'>): void {
  readBody(context, BODY_BYTES_MAX, (_context, body) => void answer(context, relay, body))
}

async function answer(
  { request, response, address }: RequestContext,
  relay: Pick<McpRelay, 'answer'>,
  body: ForwardBody,
): Promise<void> {
  try {
    const headers = READ_HEADERS.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    const credential = readCredential(request.headers)
    if (credential.kind === 'none') return
    const call = { credential: credential.text, headers: Object.fromEntries(headers), body: await textOf(body) }
    const answered = await relay.answer(call, address)
    if (answered === undefined) response.sendProblem(unanswered)
    else response.send(answered.status, headerList(answered.headers), answered.body)
  } catch (error) {
    response.sendProblem(error instanceof BodyTooLarge ? bodyTooLarge : unanswered)
  }
}

async function textOf(body: ForwardBody): Promise<string> {
  if (body === null) return ''
  if (Buffer.isBuffer(body)) return body.toString()
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function headerList(headers: Record<string, string>): string[] {
  const type = headers['content-type']
  return [...(type === undefined ? [] : ['content-type', type]), 'cache-control', 'no-store']
}
