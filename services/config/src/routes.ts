import { Role } from '@tapeline/contracts/actor'
import { answer, Answer } from '@tapeline/contracts/answer'
import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { AccountProfile, Pricing, SubscriptionRecord, TierSnapshot, UserFlags } from '@tapeline/contracts/config/http'
import { CachedVersionQuery } from '@tapeline/contracts/config/version'
import type { Server } from '@tapeline/service/create-server'
import { isCurrent, readCachedVersion } from '@tapeline/service/settings/snapshot-cache'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { findFlag } from './flags/find-flag.ts'
import { listFlags } from './flags/list-flags.ts'
import { readPlatformSnapshot } from './read-platform-snapshot.ts'
import { readProfile } from './read-profile.ts'
import { readSubscription } from './subscriptions/read-subscription.ts'
import { readTiers } from './tiers/read-tiers.ts'
import { showPricing } from './tiers/show-pricing.ts'

const FLAGS = '/api/v1/internal/user/feature-flags'
const forAnyone = { access: 'public' as const }
const AccountParams = Type.Object({ account: Type.String({ format: 'uuid' }) })

export function addRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/internal/subscription/pricing',
    { config: forAnyone, schema: { response: { 200: Answer(Pricing) } } },
    async () => answer('Pricing', await showPricing(deps)),
  )
  app.get(FLAGS, { config: forAnyone, schema: { response: { 200: Answer(UserFlags) } } }, async (request) =>
    answer('Feature flags', await listFlags(deps, request.actor)),
  )
  app.get(
    `${FLAGS}/:flag_key`,
    {
      config: forAnyone,
      schema: { params: Type.Object({ flag_key: Type.String() }), response: { 200: Answer(UserFlags) } },
    },
    async (request) => answer('Feature flag', await findFlag(deps, request.actor, request.params.flag_key)),
  )
  addInternalRoutes(app, deps)
}

function addInternalRoutes(app: Server, deps: Deps): void {
  app.get(
    '/internal/subscriptions/:account',
    {
      config: { access: { services: ['gateway', 'api-key', 'audit', 'identity'] } },
      schema: { params: AccountParams, response: { 200: SubscriptionRecord } },
    },
    async (request) => readSubscription(deps, request.params.account),
  )
  app.get(
    '/internal/accounts/:account/profile',
    {
      config: { access: { services: ['identity'] } },
      schema: { params: AccountParams, querystring: Type.Object({ role: Role }), response: { 200: AccountProfile } },
    },
    async (request) => readProfile(deps, request.params.account, request.query.role),
  )
  app.get(
    '/internal/platform-settings',
    {
      config: { access: { services: ['gateway', 'identity', 'api-key', 'audit', 'market-data'] } },
      schema: {
        querystring: CachedVersionQuery,
        response: { 200: PlatformSnapshot, 304: Type.Unsafe<undefined>({}) },
      },
    },
    async (request, reply) => {
      const snapshot = await readPlatformSnapshot(deps, readCachedVersion(request.query))
      return snapshot === undefined ? reply.code(304).send() : reply.send(snapshot)
    },
  )
  app.get(
    '/internal/tiers',
    {
      config: { access: { services: ['gateway'] } },
      schema: {
        querystring: CachedVersionQuery,
        response: { 200: TierSnapshot, 304: Type.Unsafe<undefined>({}) },
      },
    },
    async (request, reply) => {
      const snapshot = await readTiers(deps)
      const cached = readCachedVersion(request.query)
      return cached !== undefined && isCurrent(cached, snapshot) ? reply.code(304).send() : reply.send(snapshot)
    },
  )
}
