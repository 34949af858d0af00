import { answer, Answer } from '@tapeline/contracts/answer'
import { AccountExport, ExportFile, OpenExport } from '@tapeline/contracts/identity/account-deletion'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { openExport } from './exports/open-export.ts'
import { requestExport } from './exports/request-export.ts'
import { showExport } from './exports/show-export.ts'

const EXPORT = '/api/v1/internal/user/export'
const bySession = { access: { role: 'user' as const } }
const AS_FILE = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment; filename="tapeline-account.json"',
}

/** Routes of account exports: requested, built by the queue, and downloaded by the owner or with the mailed link. */
export function addExportRoutes(app: Server, deps: Deps): void {
  app.post(
    EXPORT,
    { config: bySession, schema: { response: { 202: Answer(AccountExport) } } },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          answer(
            'The export is being built; you will receive an email when it is ready',
            await requestExport(deps, userOf(request)),
          ),
        ),
  )
  app.get(EXPORT, { config: bySession, schema: { response: { 200: Answer(AccountExport) } } }, async (request) =>
    answer('The newest export', await showExport(deps, userOf(request))),
  )
  app.get(
    `${EXPORT}/file`,
    { config: bySession, schema: { response: { 200: ExportFile } } },
    async (request, reply) => {
      const actor = userOf(request)
      const file = await openExport(deps, actor, { by: 'session', userId: actor.userId })
      return reply.headers(AS_FILE).send(file)
    },
  )
  app.post(
    `${EXPORT}/open`,
    { config: { access: 'public' }, schema: { body: OpenExport, response: { 200: ExportFile } } },
    async (request, reply) => {
      const file = await openExport(deps, request.actor, { by: 'link', token: request.body.token })
      return reply.headers(AS_FILE).send(file)
    },
  )
}
