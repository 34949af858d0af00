import type { Actor } from '@tapeline/contracts/actor'
import { signActorToken } from '@tapeline/service/actor-token'
import { readInternalKeys } from '@tapeline/service/internal-keys'

export type SignAs = { caller: string; audience: string; actor: Actor; nowMs?: number }

/** Signs a token as a process of the running platform would; `keys` by `caller>audience`. */
export function signAs(keys: Record<string, string>, { caller, audience, actor, nowMs = Date.now() }: SignAs): string {
  const pairs = Object.entries(keys).map(([pair, key]) => `${pair}=${key}`)
  return signActorToken(readInternalKeys(pairs.join(',')), { caller, audience, actor, nowMs })
}
