import { Answer, answer } from '@tapeline/contracts/answer'
import { AccountUsage, AccountUsageQuery } from '@tapeline/contracts/audit/account-usage'
import {
  ApiKeyUsageQuery,
  DashboardMetricsQuery,
  KeyUsageRequest,
  RealTimeStats,
  RealTimeStatsQuery,
  UsageBreakdownQuery,
  UsageReport,
  UsageSeed,
} from '@tapeline/contracts/audit/http'
import { ExportRequestsQuery, ExportUsageQuery } from '@tapeline/contracts/audit/export'
import { ListNotificationsQuery, MarkedRead, NotificationPage } from '@tapeline/contracts/audit/notifications'
import { ListRequestsQuery, RequestDetail, RequestPage } from '@tapeline/contracts/audit/requests'
import { PlatformStatus } from '@tapeline/contracts/audit/status'
import { ExportTrailQuery, ListTrailQuery, TrailPage } from '@tapeline/contracts/audit/trail'
import { TrailCheck } from '@tapeline/contracts/audit/trail-check'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import { addAlertRoutes } from './alerts/alert-routes.ts'
import { showCheck, startCheck } from './anchors/check-trail.ts'
import type { StartInBackground } from './background.ts'
import { addCustomReportRoutes } from './custom-reports/custom-report-routes.ts'
import type { Deps } from './deps.ts'
import { sendStream } from './streams/send-stream.ts'
import type { StreamHub } from './streams/stream-hub.ts'
import { exportRequests } from './exports/export-requests.ts'
import { exportUsage } from './exports/export-usage.ts'
import { createExportSender } from './exports/send-export.ts'
import { listNotifications } from './notifications/list-notifications.ts'
import { markRead } from './notifications/mark-read.ts'
import { readAccountUsage } from './reports/read-account-usage.ts'
import { readUsageSeed } from './usage-seeds/read-usage-seed.ts'
import { listRequests } from './requests/list-requests.ts'
import { showRequest } from './requests/show-request.ts'
import { showApiKeyUsage } from './reports/show-api-key-usage.ts'
import { showDashboardMetrics } from './reports/show-dashboard-metrics.ts'
import { showKeyUsage } from './reports/show-key-usage.ts'
import { showRealTimeStats } from './reports/show-real-time-stats.ts'
import { showUsageBreakdown } from './reports/show-usage-breakdown.ts'
import { addStatementRoutes } from './statements/statement-routes.ts'
import { createStatusReader } from './status/status-reader.ts'
import { exportTrail } from './trail/export-trail.ts'
import { listTrail } from './trail/list-trail.ts'

const user = { access: { role: 'user' } } as const
const admin = { access: { role: 'admin' } } as const
const requests = { access: { role: 'user', serviceScope: 'requests:read' } } as const
const trail = { access: { role: 'user', serviceScope: 'audit:read' } } as const
const keyAudit = { access: { role: 'user', serviceScope: 'usage:read', flag: 'api_key_audit' } } as const
const gateway = { access: { services: ['gateway' as const] } }
const apiKey = { access: { services: ['api-key' as const] } }
const identity = { access: { services: ['identity' as const] } }
const report = { 200: Answer(UsageReport) }
const Id = Type.Object({ id: Type.String({ maxLength: 40 }) })
const UuidId = Type.Object({ id: Type.String({ format: 'uuid' }) })
const OfAccount = Type.Object({ account: Type.String({ format: 'uuid' }) })

type Started = { hub: StreamHub; start: StartInBackground }

export function addRoutes(app: Server, deps: Deps, started: Started): void {
  addReportRoutes(app, deps)
  addCustomReportRoutes(app, deps)
  addAlertRoutes(app, deps)
  addStatementRoutes(app, deps)
  addRequestRoutes(app, deps)
  addAccountRoutes(app, deps, started)
}

/** The request log, the exports, and the platform's status. */
function addRequestRoutes(app: Server, deps: Deps): void {
  const sendExport = createExportSender()
  const readStatus = createStatusReader(deps)
  app.get(
    '/api/v1/internal/requests',
    { config: requests, schema: { querystring: ListRequestsQuery, response: { 200: Answer(RequestPage) } } },
    async (request) => answer('Requests', await listRequests(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/requests/export',
    { config: requests, schema: { querystring: ExportRequestsQuery }, exposeHeadRoute: false },
    (request, reply) => sendExport(reply, userOf(request), () => exportRequests(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/export',
    { config: keyAudit, schema: { querystring: ExportUsageQuery }, exposeHeadRoute: false },
    (request, reply) => sendExport(reply, userOf(request), () => exportUsage(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/requests/:id',
    { config: requests, schema: { params: Id, response: { 200: Answer(RequestDetail) } } },
    async (request) => answer('One request', await showRequest(deps, userOf(request), request.params.id)),
  )
  app.get(
    '/api/v1/status',
    { config: { access: 'public' }, schema: { response: { 200: Answer(PlatformStatus) } } },
    async () => answer('How the platform is doing', await readStatus()),
  )
}

/** An account's trail, notifications and event stream. */
function addAccountRoutes(app: Server, deps: Deps, { hub, start }: Started): void {
  app.get(
    '/api/v1/internal/audit-trail',
    { config: trail, schema: { querystring: ListTrailQuery, response: { 200: Answer(TrailPage) } } },
    async (request) => answer('Audit trail', await listTrail(deps, userOf(request), request.query)),
  )
  const sendExport = createExportSender()
  app.get(
    '/api/v1/internal/audit-trail/export',
    { config: trail, schema: { querystring: ExportTrailQuery }, exposeHeadRoute: false },
    (request, reply) => sendExport(reply, userOf(request), () => exportTrail(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/admin/audit-trail/check',
    { config: admin, schema: { response: { 200: Answer(TrailCheck) } } },
    async () => answer('Latest verification of the audit trail', await showCheck(deps)),
  )
  app.post(
    '/api/v1/admin/audit-trail/check',
    { config: admin, schema: { response: { 200: Answer(TrailCheck) } } },
    async (request) => {
      const onError = (err: unknown) =>
        request.log.error({ err }, 'audit trail: the verification could not be completed; start it again')
      return answer('Verification started', await startCheck(deps, start, onError))
    },
  )
  app.get(
    '/api/v1/internal/notifications',
    { config: user, schema: { querystring: ListNotificationsQuery, response: { 200: Answer(NotificationPage) } } },
    async (request) => answer('Notifications', await listNotifications(deps, userOf(request), request.query)),
  )
  app.patch(
    '/api/v1/internal/notifications/read',
    { config: user, schema: { response: { 200: Answer(MarkedRead) } } },
    async (request) => answer('All are read', await markRead(deps, userOf(request), null)),
  )
  app.patch(
    '/api/v1/internal/notifications/:id/read',
    { config: user, schema: { params: UuidId, response: { 200: Answer(MarkedRead) } } },
    async (request) => answer('It is read', await markRead(deps, userOf(request), request.params.id)),
  )
  app.get('/api/v1/internal/events', { config: user, exposeHeadRoute: false }, (request, reply) =>
    sendStream(hub, userOf(request), request, reply),
  )
}

/** Usage reports, and the gateway's seeds. */
function addReportRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/internal/apikeyaudit/dashboard-metrics',
    { config: keyAudit, schema: { querystring: DashboardMetricsQuery, response: report } },
    async (request) => answer('Usage of the period', await showDashboardMetrics(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/api-key-usage',
    { config: keyAudit, schema: { querystring: ApiKeyUsageQuery, response: report } },
    async (request) => answer('Usage by key', await showApiKeyUsage(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/usage-breakdown',
    { config: keyAudit, schema: { querystring: UsageBreakdownQuery, response: report } },
    async (request) => answer('Usage in parts', await showUsageBreakdown(deps, userOf(request), request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/real-time-stats',
    { config: keyAudit, schema: { querystring: RealTimeStatsQuery, response: { 200: Answer(RealTimeStats) } } },
    async (request) => answer('What happens right now', await showRealTimeStats(deps, userOf(request))),
  )
  app.post(
    '/internal/key-usage',
    { config: apiKey, schema: { body: KeyUsageRequest, response: { 200: UsageReport } } },
    (request) => showKeyUsage(deps, request.body),
  )
  app.get(
    '/internal/accounts/:account/usage',
    {
      config: identity,
      schema: { params: OfAccount, querystring: AccountUsageQuery, response: { 200: AccountUsage } },
    },
    ({ params, query }) => readAccountUsage(deps, params.account, query),
  )
  app.get(
    '/internal/seeds/:account',
    {
      config: gateway,
      schema: {
        params: OfAccount,
        querystring: Type.Object(
          {
            month_start: Type.String({ format: 'date-time' }),
            key_id: Type.Optional(Type.String({ format: 'uuid' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: UsageSeed },
      },
    },
    ({ params, query }) =>
      readUsageSeed(deps, { accountId: params.account, keyId: query.key_id }, new Date(query.month_start)),
  )
}
