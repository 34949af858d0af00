import { type Static, Type } from 'typebox'

export const ROLES = ['user', 'tester', 'admin'] as const
export const Role = Type.Union([Type.Literal('user'), Type.Literal('tester'), Type.Literal('admin')])
export type Role = Static<typeof Role>

export const TIERS = ['free', 'basic', 'pro'] as const
export const Tier = Type.Union([Type.Literal('free'), Type.Literal('basic'), Type.Literal('pro')])
export type Tier = Static<typeof Tier>

/** Product name of a plan, for texts in every language: `Pro`. */
export function planName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}

export const SERVICES = ['gateway', 'identity', 'api-key', 'audit', 'config', 'market-data'] as const
export const ServiceName = Type.Union(SERVICES.map((name) => Type.Literal(name)))
export type ServiceName = (typeof SERVICES)[number]

/** Origin of a call. A service adds it to the actor from the gateway's headers; tokens do not contain it. */
const Client = {
  /** Network of the caller, /24 for IPv4 and /48 for IPv6. */
  network: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
}

/** A user of the platform, signed in (`sessionId`) or through an API key (`keyId`). */
export const UserActor = Type.Object({
  kind: Type.Literal('user'),
  userId: Type.String(),
  role: Role,
  tier: Tier,
  /** Names of the tier's features that are on, for example `historicalData`. */
  features: Type.Array(Type.String()),
  sessionId: Type.Union([Type.String(), Type.Null()]),
  keyId: Type.Union([Type.String(), Type.Null()]),
  /** Scopes of the API key; a signed-in user has all. */
  scopes: Type.Array(Type.String()),
  /** `live` reads every venue, `test` only the simulator. */
  environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  timeZone: Type.String(),
  ...Client,
})
export type UserActor = Static<typeof UserActor>

export const AnonymousActor = Type.Object({ kind: Type.Literal('anonymous'), ...Client })
export type AnonymousActor = Static<typeof AnonymousActor>

export const ServiceActor = Type.Object({ kind: Type.Literal('service'), service: Type.String() })
export type ServiceActor = Static<typeof ServiceActor>

export const Actor = Type.Union([UserActor, AnonymousActor, ServiceActor])
export type Actor = UserActor | AnonymousActor | ServiceActor

/** Whether `role` is `least` or a higher role. Each role includes the ones before it. */
export function roleIncludes(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}
