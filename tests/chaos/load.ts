import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTraffic } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Field, RunningLoad } from './drill.ts'

/** The platform may still be recovering from the previous drill. */
const READY_WITHIN_MS = 60_000

export type Account = {
  accountId: string
  /** Access token of the newest sign-in: it is valid for fifteen minutes, and a drill may take longer. */
  token: string
  apiKey: string
  keyId: string
  email: string
  password: string
  /** Identifies this browser as known at later sign-ins. */
  deviceToken: string
}

/** An account with a key, limited by nothing but these limits. */
export async function newAccount({ platform }: Field, limits: Partial<RateLimits> = {}): Promise<Account> {
  const signUp = () => signUpUser(platform.gatewayUrl)
  const { jwtToken, user, email, password, deviceToken } = await waitUntil('sign-up works', signUp, READY_WITHIN_MS)
  const addresses = { configDatabaseUrl: platform.databaseUrls.config, redisUrl: platform.addresses.redisUrl }
  await setLimits(addresses, user.id, limits)
  const { apiKey, key } = await createKeyFor(platform.gatewayUrl, jwtToken)
  return { accountId: user.id, token: jwtToken, apiKey, keyId: key.id, email, password, deviceToken }
}

export type Load = { clients: number; pauseMs: number }

/** Clients of an account at all gateways; each completed request is added to the history. */
export function startLoad(
  { platform, history, loads }: Field,
  account: Account,
  { clients, pauseMs }: Load,
): RunningLoad {
  const { accountId, apiKey } = account
  const traffic = startTraffic({
    urls: platform.gatewayUrls,
    key: apiKey,
    clients,
    pauseMs,
    onAnswer(one) {
      const { startMs, endMs } = one
      const answer = 'status' in one ? { requestId: one.requestId, status: one.status, isDegraded: one.isDegraded } : {}
      history.add({ account: accountId, startMs, endMs, ...answer })
    },
  })
  const load = { stop: async () => void (await traffic.stop()) }
  loads.push(load)
  return load
}
