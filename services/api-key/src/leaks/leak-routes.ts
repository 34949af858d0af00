import { answer, Answer } from '@tapeline/contracts/answer'
import { LeakedKeysReceived, LeakPolicy, ReportLeakedKeys } from '@tapeline/contracts/api-key/leaks'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from '../deps.ts'
import { reportLeakedKeys } from './report-leaked-keys.ts'
import { setLeakPolicy, showLeakPolicy } from './set-leak-policy.ts'

const POLICY = '/api/v1/internal/api-keys/leak-policy'
/** Requires a session: a leaked service key could otherwise prevent its own revocation. */
const bySession = { access: { role: 'user', flag: 'api_key_management' } } as const

/** Reports of keys found in public, and the owners' policy for handling them. */
export function addLeakRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/leaked-keys',
    {
      config: { access: 'public' },
      schema: { body: ReportLeakedKeys, response: { 202: Answer(LeakedKeysReceived) } },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(answer('Thank you. Keys that work are handled now', await reportLeakedKeys(deps, request.body))),
  )
  app.get(POLICY, { config: bySession, schema: { response: { 200: Answer(LeakPolicy) } } }, async (request) =>
    answer('Leaked keys', await showLeakPolicy(deps, userOf(request))),
  )
  app.put(
    POLICY,
    { config: bySession, schema: { body: LeakPolicy, response: { 200: Answer(LeakPolicy) } } },
    async (request) => answer('Saved', await setLeakPolicy(deps, userOf(request), request.body)),
  )
}
