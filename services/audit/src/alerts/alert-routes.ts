import { Answer, answer } from '@tapeline/contracts/answer'
import { AlertList, DeletedAlert, SaveAlert, UsageAlert } from '@tapeline/contracts/audit/alerts'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { createAlert, deleteAlert, listAlerts, updateAlertFields } from './save-alert.ts'

const ALERTS = '/api/v1/internal/alerts'
const user = { access: { role: 'user' as const } }
const OfAlert = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** Alert levels of the account's own, for any limit and any percentage. */
export function addAlertRoutes(app: Server, deps: Deps): void {
  app.get(ALERTS, { config: user, schema: { response: { 200: Answer(AlertList) } } }, async (request) =>
    answer('Alerts', await listAlerts(deps, userOf(request))),
  )
  app.post(
    ALERTS,
    { config: user, schema: { body: SaveAlert, response: { 201: Answer(UsageAlert) } } },
    async (request, reply) =>
      reply.code(201).send(answer('Alert created', await createAlert(deps, userOf(request), request.body))),
  )
  app.put(
    `${ALERTS}/:id`,
    { config: user, schema: { params: OfAlert, body: SaveAlert, response: { 200: Answer(UsageAlert) } } },
    async (request) =>
      answer('Alert saved', await updateAlertFields(deps, userOf(request), request.params.id, request.body)),
  )
  app.delete(
    `${ALERTS}/:id`,
    { config: user, schema: { params: OfAlert, response: { 200: Answer(DeletedAlert) } } },
    async (request) => answer('Alert deleted', await deleteAlert(deps, userOf(request), request.params.id)),
  )
}
