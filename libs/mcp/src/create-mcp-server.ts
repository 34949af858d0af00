import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Tapeline } from '@tapeline/client'
import { addAccountTools } from './account-tools.ts'
import { addMarketDataTools } from './market-data-tools.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const INSTRUCTIONS = `Market data of a Tapeline platform. Start with list_instruments to find venues and symbols. Prices, sizes and
sequences are strings with all digits: do not round them. Times are RFC 3339 in UTC with nanoseconds. Answers are bounded: request
few rows, then continue with the returned cursor. All tools only read.`

/** `data` is called with an API key; `account` with a service key, undefined without one. */
export type Clients = { data: Tapeline; account: Tapeline | undefined }

/** An MCP server with the tools that the keys allow, not yet connected to a transport. */
export function createMcpServer({ data, account }: Clients): McpServer {
  const server = new McpServer({ name: 'tapeline', version }, { instructions: INSTRUCTIONS })
  addMarketDataTools(server, data)
  if (account !== undefined) addAccountTools(server, account)
  return server
}
