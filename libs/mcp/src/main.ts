#!/usr/bin/env node
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Tapeline } from '@tapeline/client'
import { createMcpServer } from './create-mcp-server.ts'

const EXIT_USAGE = 2

/** Keys come from the environment alone: arguments are visible to other processes of the machine. */
const { TAPELINE_KEY: apiKey = '', TAPELINE_SERVICE_KEY: serviceKey = '' } = process.env
if (apiKey === '') {
  process.stderr.write('Set TAPELINE_KEY to an API key, and TAPELINE_URL to the address of the gateway.\n')
  process.exit(EXIT_USAGE)
}
await connectClients().connect(new StdioServerTransport())

/** Ends the process if a key or the address cannot be one; the message does not contain the key. */
function connectClients(): McpServer {
  try {
    const account = serviceKey === '' ? undefined : new Tapeline({ apiKey: serviceKey })
    return createMcpServer({ data: new Tapeline({ apiKey }), account })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EXIT_USAGE)
  }
}
