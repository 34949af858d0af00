import { Answer, answer } from '@tapeline/contracts/answer'
import {
  ApiKeyUsageQuery,
  DashboardMetricsQuery,
  UsageBreakdownQuery,
  UsageReport,
  UsageSeed,
} from '@tapeline/contracts/audit/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { readUsageSeed } from './read-usage-seed.ts'
import { showApiKeyUsage } from './show-api-key-usage.ts'
import { showDashboardMetrics } from './show-dashboard-metrics.ts'
import { showUsageBreakdown } from './show-usage-breakdown.ts'

const user = { access: { role: 'user' as const } }
const gateway = { access: { services: ['gateway' as const] } }
const report = { 200: Answer(UsageReport) }

export function addRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/internal/apikeyaudit/dashboard-metrics',
    { config: user, schema: { querystring: DashboardMetricsQuery, response: report } },
    async (request) => answer('Usage of the period', await showDashboardMetrics(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/api-key-usage',
    { config: user, schema: { querystring: ApiKeyUsageQuery, response: report } },
    async (request) => answer('Usage by key', await showApiKeyUsage(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/usage-breakdown',
    { config: user, schema: { querystring: UsageBreakdownQuery, response: report } },
    async (request) => answer('Usage in parts', await showUsageBreakdown(deps, userOf(request), request.query)),
  )
  app.get(
    '/internal/seeds/:account',
    {
      config: gateway,
      schema: {
        params: Type.Object({ account: Type.String({ format: 'uuid' }) }),
        querystring: Type.Object(
          { month_start: Type.String({ format: 'date-time' }) },
          { additionalProperties: false },
        ),
        response: { 200: UsageSeed },
      },
    },
    ({ params, query }) => readUsageSeed(deps, params.account, new Date(query.month_start)),
  )
}
