import { Answer, answer } from '@tapeline/contracts/answer'
import { CustomReport, DeletedReport, ReportList, SaveReport } from '@tapeline/contracts/audit/reports'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { deleteReport } from './delete-report.ts'
import { listReports } from './list-reports.ts'
import { createReport, updateReportFields } from './save-report.ts'
import { previewReport, sendReport } from './send-report.ts'

const REPORTS = '/api/v1/internal/reports'
const user = { access: { role: 'user' as const } }
const OfReport = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** Saved filters of the metrics that are mailed weekly. */
export function addCustomReportRoutes(app: Server, deps: Deps): void {
  app.get(REPORTS, { config: user, schema: { response: { 200: Answer(ReportList) } } }, async (request) =>
    answer('Custom reports', await listReports(deps, userOf(request))),
  )
  app.post(
    REPORTS,
    { config: user, schema: { body: SaveReport, response: { 201: Answer(CustomReport) } } },
    async (request, reply) =>
      reply.code(201).send(answer('Report created', await createReport(deps, userOf(request), request.body))),
  )
  app.put(
    `${REPORTS}/:id`,
    { config: user, schema: { params: OfReport, body: SaveReport, response: { 200: Answer(CustomReport) } } },
    async (request) =>
      answer('Report saved', await updateReportFields(deps, userOf(request), request.params.id, request.body)),
  )
  app.delete(
    `${REPORTS}/:id`,
    { config: user, schema: { params: OfReport, response: { 200: Answer(DeletedReport) } } },
    async (request) => answer('Report deleted', await deleteReport(deps, userOf(request), request.params.id)),
  )
  app.post(
    `${REPORTS}/:id/send`,
    { config: user, schema: { params: OfReport, response: { 202: Answer(CustomReport) } } },
    async (request, reply) =>
      reply.code(202).send(answer('Report sent', await sendReport(deps, userOf(request), request.params.id))),
  )
  app.get(
    `${REPORTS}/:id/preview`,
    { config: user, schema: { params: OfReport }, exposeHeadRoute: false },
    async (request, reply) => {
      const { fileName, contentType, bytes } = await previewReport(deps, userOf(request), request.params.id)
      return reply
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'no-store')
        .type(contentType)
        .send(bytes)
    },
  )
}
