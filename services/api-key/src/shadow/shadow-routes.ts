import { answer, Answer } from '@tapeline/contracts/answer'
import { ApplyKeyLimits, KeyAnswer, ProposeKeyLimits } from '@tapeline/contracts/api-key/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { withLimitWarnings } from '../fields/limit-warnings.ts'
import { proposeLimits } from './propose-limits.ts'
import { applyProposal } from './apply-proposal.ts'
import { withdrawProposal } from './withdraw-proposal.ts'

const SHADOW = '/api/v1/internal/api-keys/:id/shadow'
const KeyParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const writing = {
  access: { role: 'user', flag: 'api_key_management', serviceScope: 'keys:write', feature: 'apiKeyManagement' },
} as const

/** Limits of a key that are tried on its requests before they are enforced. */
export function addShadowRoutes(app: Server, deps: Deps): void {
  const response = { 200: Answer(KeyAnswer) }
  app.put(
    SHADOW,
    { config: writing, schema: { params: KeyParams, body: ProposeKeyLimits, response } },
    async (request) => {
      const actor = userOf(request)
      const saved = await proposeLimits(deps, actor, request.params.id, request.body)
      return answer('Shadow limits saved', withLimitWarnings(deps, actor, saved))
    },
  )
  app.delete(SHADOW, { config: writing, schema: { params: KeyParams, response } }, async (request) =>
    answer('Shadow limits removed', await withdrawProposal(deps, userOf(request), request.params.id)),
  )
  app.post(
    `${SHADOW}/apply`,
    { config: writing, schema: { params: KeyParams, body: ApplyKeyLimits, response } },
    async (request) => {
      const actor = userOf(request)
      const applied = await applyProposal(deps, actor, request.params.id, request.body)
      return answer('Limits of the API key saved', withLimitWarnings(deps, actor, applied))
    },
  )
}
