import { Answer, answer } from '@tapeline/contracts/answer'
import { LimitsReplay, StartReplay } from '@tapeline/contracts/audit/replay'
import { KeyShadowReport, ShadowReport, ShadowReportQuery } from '@tapeline/contracts/audit/shadow'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { StartInBackground } from '../background.ts'
import { type ReplayDeps, runReplays } from './run-replay.ts'
import { showKeyShadow } from '../shadow/show-key-shadow.ts'
import { showShadowReport } from '../shadow/show-shadow-report.ts'
import { showReplay, startReplay } from './start-replay.ts'

const REPLAY = '/api/v1/admin/limits/replay'
const admin = { access: { role: 'admin' as const } }
const keyAudit = { access: { role: 'user', serviceScope: 'usage:read', flag: 'api_key_audit' } } as const
const OfProposal = Type.Object({ proposal: Type.String({ format: 'uuid' }) })
const OfReplay = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** What proposed limits would have done with recorded requests, and what they decide in addition to those in force. */
export function addReplayRoutes(app: Server, deps: ReplayDeps, start: StartInBackground): void {
  app.post(
    REPLAY,
    { config: admin, schema: { body: StartReplay, response: { 202: Answer(LimitsReplay) } } },
    async (request, reply) => {
      const replay = await startReplay(deps, userOf(request), request.body)
      // The job finds it as well, if this process ends before it is done.
      start(
        (db) => runReplays({ ...deps, db }, app.log),
        (err) => app.log.error({ err }, 'limits replay: could not run; the job run-replays retries within a minute'),
      )
      return reply.code(202).send(answer('Replay started', replay))
    },
  )
  app.get(
    `${REPLAY}/:id`,
    { config: admin, schema: { params: OfReplay, response: { 200: Answer(LimitsReplay) } } },
    async (request) => answer('Replay of limits', await showReplay(deps, request.params.id)),
  )
  app.get(
    '/api/v1/admin/limits/shadow/:proposal',
    {
      config: admin,
      schema: { params: OfProposal, querystring: ShadowReportQuery, response: { 200: Answer(ShadowReport) } },
    },
    async (request) => answer('Shadow limits', await showShadowReport(deps, request.params.proposal, request.query)),
  )
  app.get(
    '/api/v1/internal/apikeyaudit/key-shadow/:proposal',
    {
      config: keyAudit,
      schema: { params: OfProposal, querystring: ShadowReportQuery, response: { 200: Answer(KeyShadowReport) } },
    },
    async (request) => {
      const { params, query } = request
      return answer('Shadow limits of the API key', await showKeyShadow(deps, userOf(request), params.proposal, query))
    },
  )
}
