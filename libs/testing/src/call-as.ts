import type { Actor, ServiceName } from '@tapeline/contracts/actor'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import type { Server } from '@tapeline/service/create-server'
import { readInternalKeys } from '@tapeline/service/internal-keys'

const SECRET = Buffer.alloc(32, 7).toString('base64url')
const CALLERS = ['gateway', 'identity', 'api-key', 'audit', 'config', 'market-data']

/** Keys for every pair of processes, for servers under test. */
export const testInternalKeys = readInternalKeys(
  CALLERS.flatMap((caller) => CALLERS.map((audience) => `${caller}>${audience}=${SECRET}`)).join(','),
)

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
  headers?: Record<string, string>
}

/** Sends one request to a service as the gateway would for this actor. */
export async function callAs(app: Server, audience: ServiceName, actor: Actor, { method, url, body, headers }: Call) {
  const caller = actor.kind === 'service' ? actor.service : 'gateway'
  const token = signActorToken(testInternalKeys, { caller, audience, actor, nowMs: Date.now() })
  return app.inject({
    method,
    url,
    headers: {
      ...headers,
      [ACTOR_HEADER]: token,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
}
