import type { Actor, ServiceName, UserActor } from '@tapeline/contracts/actor'
import { API_KEY_SCOPES } from '@tapeline/contracts/api-key/http'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { signActorToken } from '@tapeline/service/actor-token'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { AccountPlan } from '../limiter/account-plan.ts'
import type { Caller } from '../account-cache/cached-account.ts'

const REUSED_FOR_MS = 10_000
const CACHED_MAX = 20_000

type Signed = { token: string; untilMs: number }

/** Signed actor tokens, one per actor and audience, reused for ten of their thirty seconds. */
export class ActorTokens {
  private readonly cached = new Map<string, Signed>()
  /** The same by actor object: `actorOf` returns the same object for the same key. */
  private readonly byActor = new WeakMap<Actor, Map<ServiceName, Signed>>()
  private readonly keys: InternalKeys

  constructor(keys: InternalKeys) {
    this.keys = keys
  }

  tokenFor(actor: Actor, audience: ServiceName, nowMs: number): string {
    let ofActor = this.byActor.get(actor)
    const cached = ofActor?.get(audience)
    if (cached !== undefined && cached.untilMs > nowMs) return cached.token
    const signed = this.signedFor(actor, audience, nowMs)
    if (ofActor === undefined) this.byActor.set(actor, (ofActor = new Map()))
    ofActor.set(audience, signed)
    return signed.token
  }

  private signedFor(actor: Actor, audience: ServiceName, nowMs: number): Signed {
    const name = `${audience} ${nameOf(actor)}`
    const found = this.cached.get(name)
    if (found !== undefined && found.untilMs > nowMs) return found
    const token = signActorToken(this.keys, { caller: 'gateway', audience, actor, nowMs })
    const signed = { token, untilMs: nowMs + REUSED_FOR_MS }
    if (this.cached.size >= CACHED_MAX) this.cached.clear()
    this.cached.set(name, signed)
    return signed
  }
}

/** The name contains everything that a token states about its actor: a change of role, tier or scope makes a new one. */
export function nameOf(actor: Actor): string {
  if (actor.kind !== 'user') return actor.kind
  const { userId, role, tier, features, sessionId, keyId, scopes, environment, timeZone } = actor
  return `${userId} ${role} ${tier} ${sessionId} ${keyId} ${environment} ${timeZone} ${scopes.join()} ${features.join()}`
}

const SESSION: Pick<KeyRecord, 'scopes' | 'environment' | 'kind'> & { key_id: null } = {
  key_id: null,
  scopes: [...API_KEY_SCOPES],
  environment: 'live',
}

/** The objects from which an actor was created; while they are the same, the actor is reused. */
type CachedToken = { plan: AccountPlan; user: AccountRecord | undefined; actor: UserActor }
const cachedByKey = new WeakMap<KeyRecord, CachedToken>()

/** The actor that services receive: the account's current role and tier, and the key's scopes or all of them. */
export function actorOf(caller: Caller, plan: AccountPlan): UserActor {
  const record = caller.key?.record.value
  if (record === undefined) return createActor(caller, plan)
  const user = caller.account.user.value
  const cached = cachedByKey.get(record)
  if (cached !== undefined && cached.plan === plan && cached.user === user) return cached.actor
  const actor = createActor(caller, plan)
  cachedByKey.set(record, { plan, user, actor })
  return actor
}

function createActor({ account, key, session }: Caller, plan: AccountPlan): UserActor {
  const { key_id, scopes, environment, kind } = key?.record.value ?? SESSION
  return {
    kind: 'user',
    userId: account.id,
    // A service key has no more rights than an ordinary user, also when its owner is an admin.
    role: kind === 'service' ? 'user' : (account.user.value?.role ?? 'user'),
    tier: plan.tier,
    features: plan.features,
    sessionId: session === undefined ? null : session.id,
    keyId: key_id,
    scopes,
    environment,
    timeZone: plan.timeZone,
  }
}
