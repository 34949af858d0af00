import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Tapeline } from '@tapeline/client'
import { createMcpServer } from './create-mcp-server.ts'

/** One message of a client, with its credential: an API key, a service key or an access token. */
export type McpCall = { credential: string; headers: Record<string, string>; body: string }
export type McpAnswer = { status: number; headers: Record<string, string>; body: string }
export type McpSettings = {
  /** Address at which the tools call the API. */
  baseUrl: string
  /** Headers sent with each of these calls. */
  relayed: Record<string, string>
}

/** Tool calls must end before the gateway's timeout for the message. */
const TIMEOUT_MS = 10_000

/**
 * Answers one message of MCP's streamable HTTP transport, without a session: every message has its credential. Calls are
 * not retried: the answer to an exhausted limit states when the model can call again.
 */
export async function answerHttp({ credential, headers, body }: McpCall, settings: McpSettings): Promise<McpAnswer> {
  const client = new Tapeline({
    baseUrl: settings.baseUrl,
    apiKey: credential,
    timeoutMs: TIMEOUT_MS,
    retriesMax: 0,
    fetch: async (address, init) =>
      fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...settings.relayed } }),
  })
  const server = createMcpServer({ data: client, account: mayReadAccount(credential) ? client : undefined })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const answer = await transport.handleRequest(new Request(settings.baseUrl, { method: 'POST', headers, body }))
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
  } finally {
    await server.close()
  }
}

/** True for service keys (within their scopes) and signed-in users, false for market-data keys. */
function mayReadAccount(credential: string): boolean {
  return !credential.startsWith('tl_') || credential.startsWith('tl_svc_')
}
