import type { Actor, ServiceName, UserActor } from '@tapeline/contracts/actor'
import { API_KEY_SCOPES, type KeyRecord } from '@tapeline/contracts/api-key/http'
import { signActorToken } from '@tapeline/service/actor-token'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { AccountPlan } from './account-plan.ts'
import type { Caller } from './known-account.ts'

const REUSED_FOR_MS = 10_000
const CACHED_MAX = 20_000

/** Signed actor tokens, one per actor and audience, reused for ten of their thirty seconds. */
export class ActorTokens {
  private readonly cached = new Map<string, { token: string; untilMs: number }>()
  private readonly keys: InternalKeys

  constructor(keys: InternalKeys) {
    this.keys = keys
  }

  tokenFor(actor: Actor, audience: ServiceName, nowMs: number): string {
    const name = `${audience} ${cacheName(actor)}`
    const found = this.cached.get(name)
    if (found !== undefined && found.untilMs > nowMs) return found.token
    const token = signActorToken(this.keys, { caller: 'gateway', audience, actor, nowMs })
    if (this.cached.size >= CACHED_MAX) this.cached.clear()
    this.cached.set(name, { token, untilMs: nowMs + REUSED_FOR_MS })
    return token
  }
}

/** Everything a token says about an actor is in its name: a change of role, tier or scope makes a new one. */
function cacheName(actor: Actor): string {
  if (actor.kind !== 'user') return actor.kind
  const { userId, role, tier, features, sessionId, keyId, scopes, environment, timeZone } = actor
  return `${userId} ${role} ${tier} ${sessionId} ${keyId} ${environment} ${timeZone} ${scopes.join()} ${features.join()}`
}

const SESSION: Pick<KeyRecord, 'scopes' | 'environment'> & { key_id: null } = {
  key_id: null,
  scopes: [...API_KEY_SCOPES],
  environment: 'live',
}

/** The actor that services see: the account's role and tier as they are now, the key's scopes or all of them. */
export function actorOf({ account, key, session }: Caller, plan: AccountPlan): UserActor {
  const { key_id, scopes, environment } = key?.record.value ?? SESSION
  return {
    kind: 'user',
    userId: account.id,
    role: account.user.value?.role ?? 'user',
    tier: plan.tier,
    features: plan.features,
    sessionId: session === undefined ? null : session.id,
    keyId: key_id,
    scopes,
    environment,
    timeZone: plan.timeZone,
  }
}
