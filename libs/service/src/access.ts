import type { Actor, Role, ServiceName, UserActor } from '@tapeline/contracts/actor'
import { roleIncludes } from '@tapeline/contracts/actor'
import type { ServiceScope } from '@tapeline/contracts/api-key/http'
import type { ServerFlag } from '@tapeline/contracts/config/flags'
import type { Feature } from '@tapeline/contracts/config/tiers'
import type { FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import type { PlatformSettings } from './platform-settings.ts'
import { includedIn } from './settings/included-in.ts'

/**
 * Who may call a route. `open`: no actor token needed (probes). `public`: anyone, through the gateway. `role`: that
 * role or a higher one, by session; `key: true` also allows API keys, with the given `scope` if set; `serviceScope` also
 * allows service keys with that scope. `flag`: only while that feature flag is on for the caller. `feature`: only in
 * tiers with that feature; without it, calls with an API key of a `key: true` route need `apiAccess`. `services`: other
 * services, never a user.
 */
export type Access =
  | 'open'
  | 'public'
  | {
      role: Role
      key?: boolean
      scope?: string
      serviceScope?: ServiceScope
      flag?: ServerFlag
      feature?: keyof typeof WITHOUT_FEATURE
    }
  | { services: ServiceName[] }

const WITHOUT_FEATURE = {
  apiAccess: 'Calls with an API key are not part of your plan.',
  realTimeData: 'Live streams are not part of your plan.',
  apiKeyManagement: 'Management of API keys is not part of your plan.',
} satisfies Partial<Record<Feature, string>>

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    actor: Actor
  }
}

type RoleAccess = Extract<Access, { role: Role }>

/**
 * Checks that the actor may call a route with this access. Without `settings` all feature flags are off.
 * @throws AppError `request.route_not_found`, `credential.missing`, `request.forbidden`, `api_key.scope_missing`,
 * `feature.disabled` or `tier.feature_not_included`
 */
export function checkAccess(access: Access, actor: Actor, settings: PlatformSettings | undefined): void {
  if (access === 'open' || access === 'public') return
  if ('services' in access) {
    if (actor.kind === 'service' && access.services.some((name) => name === actor.service)) return
    throw new AppError('request.route_not_found', 'There is no such path.')
  }
  if (actor.kind !== 'user') throw new AppError('credential.missing', 'Sign in or send an API key.')
  checkUser(access, actor)
  if (access.flag !== undefined && settings?.isOn(access.flag, actor) !== true) {
    throw new AppError('feature.disabled', `This feature is disabled by the feature flag ${access.flag}.`, {
      errors: [{ field: access.flag, message: `The feature flag ${access.flag} is off.` }],
    })
  }
  checkTier(access, actor, settings)
}

function checkTier(access: RoleAccess, actor: UserActor, settings: PlatformSettings | undefined): void {
  const ofKeys = actor.keyId !== null && access.key === true ? 'apiAccess' : undefined
  const feature = access.feature ?? ofKeys
  if (feature === undefined || actor.features.includes(feature)) return
  const tier = settings === undefined ? '' : ` ${includedIn(settings, feature)}`
  throw new AppError('tier.feature_not_included', `${WITHOUT_FEATURE[feature]}${tier}`)
}

function checkUser(access: RoleAccess, actor: UserActor): void {
  const isKey = actor.keyId !== null
  if (isKey && access.key !== true && !hasServiceScope(access, actor)) {
    throw new AppError('request.forbidden', 'An API key cannot be used for this call: sign in.')
  }
  if (!roleIncludes(actor.role, access.role)) {
    throw new AppError('request.forbidden', `This call requires the role ${access.role}.`)
  }
  if (isKey && access.scope !== undefined && !actor.scopes.includes(access.scope)) {
    throw new AppError('api_key.scope_missing', `This API key lacks the scope ${access.scope}.`)
  }
}

function hasServiceScope({ serviceScope }: RoleAccess, { scopes }: UserActor): boolean {
  return serviceScope !== undefined && scopes.includes(serviceScope)
}

/**
 * The calling user of a route whose access names a role.
 * @throws AppError `credential.missing` when the caller is not a user
 */
export function userOf(request: FastifyRequest): UserActor {
  if (request.actor.kind !== 'user') throw new AppError('credential.missing', 'Sign in or send an API key.')
  return request.actor
}

/** The line of a route in the golden access file, such as `user or API key with trades:read`. */
export function describeAccess(access: Access): string {
  if (typeof access === 'string') return access
  if ('services' in access) return `services ${access.services.join(', ')}`
  const parts: string[] = [access.role]
  if (access.key === true) parts.push('or API key')
  if (access.scope !== undefined) parts.push(`with ${access.scope}`)
  if (access.serviceScope !== undefined) parts.push(`or service key with ${access.serviceScope}`)
  if (access.feature !== undefined) parts.push(`in tiers with ${access.feature}`)
  if (access.flag !== undefined) parts.push(`while ${access.flag} is on`)
  return parts.join(' ')
}
