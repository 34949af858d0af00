import { Tier } from '@tapeline/contracts/actor'
import { answer, Answer } from '@tapeline/contracts/answer'
import { SubscriptionRecord } from '@tapeline/contracts/config/http'
import {
  CancelPlan,
  Plan,
  ReadTiersQuery,
  ReplaceTier,
  ReplaceTiers,
  SetPlan,
  StartTrial,
  TierEdition,
  TierHistory,
  TierHistoryQuery,
  UndoTiers,
} from '@tapeline/contracts/config/plans'
import { ProposeLimits, SettleProposal } from '@tapeline/contracts/config/shadow-limits'
import { SavedSettings, SaveSettings } from '@tapeline/contracts/config/settings'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { readSettings } from './settings/read-settings.ts'
import { saveSettings } from './settings/save-settings.ts'
import { cancelPlan } from './subscriptions/cancel-plan.ts'
import { readPlan } from './subscriptions/read-plan.ts'
import { setPlan } from './subscriptions/set-plan.ts'
import { showSubscription } from './subscriptions/show-subscription.ts'
import { startTrial } from './subscriptions/start-trial.ts'
import { enforceProposal } from './tiers/enforce-proposal.ts'
import { proposeLimits } from './tiers/propose-limits.ts'
import { listTierHistory } from './tiers/list-tier-history.ts'
import { replaceTier } from './tiers/replace-tier.ts'
import { replaceTiers } from './tiers/replace-tiers.ts'
import { showTiers } from './tiers/show-tiers.ts'
import { undoTiers } from './tiers/undo-tiers.ts'
import { withdrawProposal } from './tiers/withdraw-proposal.ts'

const SETTINGS = '/api/v1/internal/user/settings'
const SUBSCRIPTION = '/api/v1/internal/subscription'
const TIERS = '/api/v1/admin/tiers'
const forUsers = { access: { role: 'user' as const } }
const SHADOW = `${TIERS}/:tier/shadow`
const forAdmins = { access: { role: 'admin' as const } }

/** Plans and settings of the caller's account, and the admins' calls for plans and tiers. */
export function addPlanRoutes(app: Server, deps: Deps): void {
  addSettingsRoutes(app, deps)
  addSubscriptionRoutes(app, deps)
  addAssignedPlanRoutes(app, deps)
  addTierRoutes(app, deps)
  addShadowRoutes(app, deps)
}

function addSettingsRoutes(app: Server, deps: Deps): void {
  const response = { 200: Answer(SavedSettings) }
  app.get(SETTINGS, { config: forUsers, schema: { response } }, async (request) =>
    answer('Settings', await readSettings(deps, userOf(request).userId)),
  )
  app.put(SETTINGS, { config: forUsers, schema: { body: SaveSettings, response } }, async (request) =>
    answer('Settings saved successfully!', await saveSettings(deps, userOf(request), request.body)),
  )
}

function addSubscriptionRoutes(app: Server, deps: Deps): void {
  const planOf = { 200: Answer(Plan) }
  app.get(SUBSCRIPTION, { config: forUsers, schema: { response: planOf } }, async (request) =>
    answer('Your plan', await readPlan(deps, userOf(request))),
  )
  app.post(
    `${SUBSCRIPTION}/trial`,
    { config: forUsers, schema: { body: StartTrial, response: { 201: Answer(Plan) } } },
    async (request, reply) =>
      reply.code(201).send(answer('Trial started', await startTrial(deps, userOf(request), request.body))),
  )
  app.post(
    `${SUBSCRIPTION}/cancel`,
    { config: forUsers, schema: { body: CancelPlan, response: planOf } },
    async (request) => answer('Cancelled', await cancelPlan(deps, userOf(request), request.body)),
  )
}

function addAssignedPlanRoutes(app: Server, deps: Deps): void {
  const url = '/api/v1/admin/subscriptions/:account'
  const params = Type.Object({ account: Type.String({ format: 'uuid' }) })
  const AssignedPlan = Type.Object({
    ...SubscriptionRecord.properties,
    effective_within_seconds: Type.Optional(Type.Integer()),
  })
  const response = { 200: Answer(AssignedPlan) }
  app.get(url, { config: forAdmins, schema: { params, response } }, async (request) =>
    answer('Subscription', await showSubscription(deps, request.params.account)),
  )
  app.put(url, { config: forAdmins, schema: { params, body: SetPlan, response } }, async (request) =>
    answer('Subscription saved', await setPlan(deps, userOf(request), request.params.account, request.body)),
  )
}

function addTierRoutes(app: Server, deps: Deps): void {
  const response = { 200: Answer(TierEdition) }
  const params = Type.Object({ tier: Tier })
  app.get(TIERS, { config: forAdmins, schema: { querystring: ReadTiersQuery, response } }, async (request) =>
    answer('Tier documents', await showTiers(deps, request.query)),
  )
  app.put(TIERS, { config: forAdmins, schema: { body: ReplaceTiers, response } }, async (request) =>
    answer('Tier documents saved', await replaceTiers(deps, userOf(request), request.body)),
  )
  app.get(
    `${TIERS}/history`,
    { config: forAdmins, schema: { querystring: TierHistoryQuery, response: { 200: Answer(TierHistory) } } },
    async (request) => answer('History of the tier documents', await listTierHistory(deps, request.query)),
  )
  app.post(`${TIERS}/undo`, { config: forAdmins, schema: { body: UndoTiers, response } }, async (request) =>
    answer('Tier documents restored', await undoTiers(deps, userOf(request), request.body)),
  )
  app.put(`${TIERS}/:tier`, { config: forAdmins, schema: { params, body: ReplaceTier, response } }, async (request) =>
    answer('Tier document saved', await replaceTier(deps, userOf(request), request.params.tier, request.body)),
  )
}

/** Limits that are evaluated in addition to a tier's own and not enforced. */
function addShadowRoutes(app: Server, deps: Deps): void {
  const response = { 200: Answer(TierEdition) }
  const params = Type.Object({ tier: Tier })
  app.put(SHADOW, { config: forAdmins, schema: { params, body: ProposeLimits, response } }, async (request) =>
    answer('Shadow limits saved', await proposeLimits(deps, userOf(request), request.params.tier, request.body)),
  )
  app.delete(
    SHADOW,
    { config: forAdmins, schema: { params, querystring: SettleProposal, response } },
    async (request) =>
      answer(
        'Shadow limits removed',
        await withdrawProposal(deps, userOf(request), request.params.tier, request.query),
      ),
  )
  app.post(
    `${SHADOW}/enforce`,
    { config: forAdmins, schema: { params, body: SettleProposal, response } },
    async (request) =>
      answer('Limits enforced', await enforceProposal(deps, userOf(request), request.params.tier, request.body)),
  )
}
