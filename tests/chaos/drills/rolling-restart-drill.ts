import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { check, checkThat, type Drill } from '../drill.ts'
import type { RepeatedRequest } from '../repeat-request.ts'
import { ROLLING, rollingRestart } from './rolling-restart.ts'

/** Number of responses that must arrive without a single failure. */
const REQUESTS_MIN = 9_000

export type Visited = { gatewayUrl: string; databaseUrls: { config: string }; addresses: { redisUrl: string } }

/** Requests without limits: to the gateway itself, to config by session, to market-data by key. */
export async function repeatedRequests(
  platform: Visited,
): Promise<{ brief: RepeatedRequest[]; data: RepeatedRequest }> {
  const { jwtToken, user } = await signUpUser(platform.gatewayUrl)
  const addresses = { configDatabaseUrl: platform.databaseUrls.config, redisUrl: platform.addresses.redisUrl }
  await setLimits(addresses, user.id, {})
  const { apiKey } = await createKeyFor(platform.gatewayUrl, jwtToken)
  return {
    brief: [
      { method: 'GET', path: '/api/v1/health', token: apiKey },
      { method: 'GET', path: '/api/v1/internal/user/feature-flags', token: jwtToken },
    ],
    data: { method: 'POST', path: '/api/v1/trades/list', token: apiKey, body: { venues: ['sim'], limit: 5 } },
  }
}

export const rollingRestarts: Drill = {
  name: 'rolling-restart',
  what: 'two gateways behind a load balancer are restarted one after the other',
  platform: ROLLING,
  async run({ platform }) {
    const { brief, data } = await repeatedRequests(platform)
    const options = { repeated: [...brief, data], requestsMin: REQUESTS_MIN }
    const { answered, failed, restarts, handed } = await rollingRestart(platform, options)
    const failures = Object.entries(failed).map(([what, times]) => `${what}: ${times}`)
    const idle = Object.keys(handed).filter((name) => handed[name] === 0)
    return {
      checks: [
        check('no request fails', failures),
        checkThat('every gateway served', idle.length === 0, `nothing was handed to ${idle.join(', ')}`),
      ],
      figures: { answered, restarts, failed: Object.values(failed).reduce((sum, times) => sum + times, 0) },
    }
  },
}
