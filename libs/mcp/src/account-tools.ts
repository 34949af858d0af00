import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Tapeline } from '@tapeline/client'
import { z } from 'zod'
import { answerTool, READS } from './answer-tool.ts'

const REQUESTS_MAX = 100
const REQUESTS_DEFAULT = 20
const INTERNAL = '/api/v1/internal'

/** Tools that a service key allows, by its scopes: usage, logged requests and their explanations. */
export function addAccountTools(server: McpServer, account: Tapeline): void {
  server.registerTool(
    'read_usage',
    {
      title: 'Read usage',
      description: 'Requests, errors and response times of the account by time. Needs a service key with usage:read.',
      inputSchema: z.strictObject({
        period: z.enum(['1h', '24h', '7d', '30d', '90d']).default('24h').describe('Period up to now.'),
      }),
      annotations: READS,
    },
    async (query, { signal }) =>
      answerTool(async () =>
        account.call({ method: 'GET', path: `${INTERNAL}/apikeyaudit/dashboard-metrics`, query }, { signal }),
      ),
  )
  server.registerTool(
    'list_requests',
    {
      title: 'List requests',
      description: 'Logged requests, newest first, with status and code. Needs a service key with requests:read.',
      inputSchema: z.strictObject({
        period: z.enum(['1h', '24h', '7d']).default('24h').describe('Period up to now.'),
        outcome: z.enum(['ok', 'client_error', 'server_error', 'denied', 'aborted']).exactOptional(),
        requestId: z
          .string()
          .regex(/^[0-9a-f]{1,32}$/)
          .exactOptional()
          .describe('x-request-id of a response, or a part of it.'),
        limit: z.int().min(1).max(REQUESTS_MAX).default(REQUESTS_DEFAULT).describe('Maximum number of requests.'),
        cursor: z
          .string()
          .exactOptional()
          .describe('next_cursor of the previous response, with the same arguments as before.'),
      }),
      annotations: READS,
    },
    async ({ cursor, ...filter }, { signal }) => {
      // A cursor contains its filter.
      const query = cursor === undefined ? filter : { cursor, limit: filter.limit }
      return answerTool(async () => account.call({ method: 'GET', path: `${INTERNAL}/requests`, query }, { signal }))
    },
  )
  server.registerTool(
    'explain_request',
    {
      title: 'Explain a request',
      description: 'Why one request was allowed or rejected: limits, plan, invalid fields. Needs requests:read.',
      inputSchema: z.strictObject({
        id: z.string().min(1).max(40).describe('x-request-id of a response, or id of a request of list_requests.'),
      }),
      annotations: READS,
    },
    async ({ id }, { signal }) =>
      answerTool(async () =>
        account.call({ method: 'GET', path: `${INTERNAL}/requests/${encodeURIComponent(id)}` }, { signal }),
      ),
  )
}
