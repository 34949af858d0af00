import { send, type Request } from '@tapeline/testing/api-client'
import type { Field, RunningLoad } from './drill.ts'
import { pause } from './drill.ts'
import type { ClientRequest } from './history.ts'
import type { Account } from './load.ts'

/** One kind of user action; each needs different parts of the platform. */
export type Area = 'data' | 'keys' | 'settings' | 'sign-in' | 'usage'
export const AREAS: readonly Area[] = ['data', 'keys', 'settings', 'sign-in', 'usage']
/** Without a status there was no complete response. */
export type Visit = {
  area: Area
  startMs: number
  endMs: number
  status?: number
  code?: string
  retryAfter?: string
  requestId?: string
}
type Reply = { code?: string; data?: { jwtToken?: string } }
export type Visits = RunningLoad & { list: Visit[] }

const BETWEEN_MS = 40

/** A client per area that calls it repeatedly until the drill ends. */
export function startVisits({ platform, history, loads }: Field, visitor: Account): Visits {
  const list: Visit[] = []
  let isStopping = false
  const visitArea = async (area: Area) => {
    for (let n = 0; !isStopping; n += 1) {
      const gatewayUrl = platform.gatewayUrls[n % platform.gatewayUrls.length] ?? ''
      const one = await visit(gatewayUrl, area, visitor)
      list.push(one)
      history.note('visit', one)
      if (area === 'data') history.add(countedOf(one, visitor.accountId))
      await pause(BETWEEN_MS)
    }
  }
  const all = Promise.all(AREAS.map(visitArea))
  const visits = {
    list,
    async stop() {
      isStopping = true
      await all
    },
  }
  loads.push(visits)
  return visits
}

/** Calls with a key are counted like all other requests. */
function countedOf({ startMs, endMs, status, requestId }: Visit, account: string): ClientRequest {
  return { account, startMs, endMs, ...(status === undefined || requestId === undefined ? {} : { status, requestId }) }
}

async function visit(gatewayUrl: string, area: Area, visitor: Account): Promise<Visit> {
  const startMs = Date.now()
  const { path, ...request } = requestFor(area, visitor)
  try {
    const { status, headers, body } = await send<Reply>(gatewayUrl + path, request)
    visitor.token = body?.data?.jwtToken ?? visitor.token
    const retryAfter = headers.get('retry-after')
    const requestId = headers.get('x-request-id') ?? ''
    return {
      area,
      startMs,
      endMs: Date.now(),
      status,
      requestId,
      ...(body?.code === undefined ? {} : { code: body.code }),
      ...(retryAfter === null ? {} : { retryAfter }),
    }
  } catch {
    return { area, startMs, endMs: Date.now() }
  }
}

function requestFor(area: Area, { token, apiKey, email, password, deviceToken }: Account): Request & { path: string } {
  switch (area) {
    case 'data':
      return { path: '/api/v1/trades/list', token: apiKey, body: { venues: ['sim'], limit: 1 } }
    case 'keys':
      return { path: '/api/v1/internal/api-keys', token }
    case 'settings':
      return { path: '/api/v1/internal/user/settings', token }
    case 'sign-in':
      return { path: '/api/v1/internal/user/login', body: { email, password, deviceToken } }
    case 'usage':
      return { path: '/api/v1/internal/apikeyaudit/dashboard-metrics?period=1h', token }
  }
}
