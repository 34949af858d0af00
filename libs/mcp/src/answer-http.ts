import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Tapeline } from '@tapeline/client'
import { createMcpServer } from './create-mcp-server.ts'

/** One message of a client, with its credential: an API key, a service key or an access token. */
export type McpCall = { credential: string; headers: Record<string, string>; body: string }
export type McpAnswer = { status: number; headers: Record<string, string>; body: string }
export type McpSettings = {
  /** Where the tools call the API. */
  baseUrl: string
  /** Sent with each of these calls. */
  relayed: Record<string, string>
}

/** Tool calls must end before the gateway's timeout for the message. */
const TIMEOUT_MS = 10_000

/**
 * Answers one message of MCP's streamable HTTP transport, without a session: every message carries its credential. Nothing
 * is retried: the answer to a full limit has the time after which the model can try again.
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

/** Service keys, as far as their scopes go, and signed-in users; keys for market data do not. */
function mayReadAccount(credential: string): boolean {
  return !credential.startsWith('tl_') || credential.startsWith('tl_svc_')
}
