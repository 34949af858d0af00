import { setTimeout as sleep } from 'node:timers/promises'
import { createKeyFor, send, signIn, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { NO_LIMIT, onlyLimits } from '@tapeline/testing/set-subscription'
import type { TierLimits } from '@tapeline/contracts/config/tiers'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import type { Account, Group, Prepared } from '../lib/accounts.ts'
import { TIERS, type Tier } from '../lib/thresholds.ts'
import type { GroupPlan, JourneyPlan } from './journeys.ts'
import type { LoadPlatform, Operator } from './load-platform.ts'

/**
 * The burst limit is reached first and frees capacity within seconds, so visits are short and get Retry-After
 * repeatedly.
 */
const WAITING_CLIENT_LIMITS = onlyLimits({ burstLimit: 5, requestsPerMinute: NO_LIMIT })
const UNLIMITED: TierLimits = {
  ...onlyLimits({}),
  streamConnections: NO_LIMIT,
  streamMessagesPerSecond: NO_LIMIT,
}
const PAUSE_MS = 15_000
const TRIES_MAX = 40

type SetPlan = (accountId: string, tier: Tier, limits: TierLimits | null) => Promise<void>

/** Signs up all accounts through the gateway, assigns plans as an operator would, and creates their keys. */
export async function prepareAccounts(
  { gateways, operator }: LoadPlatform,
  { groups }: JourneyPlan,
): Promise<Prepared> {
  const [gatewayUrl = ''] = gateways
  const prepared: Prepared = { gateways, groups: {} }
  if (operator.kind === 'none') {
    const { apiKey } = operator
    return apiKey === undefined ? prepared : { gateways, groups: { readers: [await readerWith(gatewayUrl, apiKey)] } }
  }
  const { setPlan, close } = await openOperator(gatewayUrl, operator)
  try {
    for (const [group, plan] of Object.entries(groups)) {
      // Object.entries loses the key type of `groups`.
      prepared.groups[group as Group] = await prepareGroup(gatewayUrl, plan, setPlan)
    }
    return prepared
  } finally {
    await close()
  }
}

/** A caller with an existing key, whose limits are queried. */
async function readerWith(gatewayUrl: string, apiKey: string): Promise<Account> {
  const { status, body } = await send<{ data: LimitsReport }>(`${gatewayUrl}/api/v1/limits`, { token: apiKey })
  if (status !== 200) throw new Error(`API_KEY got ${status} at ${gatewayUrl}`)
  return { id: '', email: '', password: '', tier: body.data.tier, apiKey, token: '' }
}

async function prepareGroup(gatewayUrl: string, { tiers, limits }: GroupPlan, setPlan: SetPlan): Promise<Account[]> {
  const accounts: Account[] = []
  const own = limits === 'of the tier' ? null : limits === 'patient' ? WAITING_CLIENT_LIMITS : UNLIMITED
  for (const tier of TIERS.flatMap((one) => Array.from({ length: tiers[one] ?? 0 }, () => one))) {
    const { user, email, password, jwtToken: token } = await whenAdmitted(() => signUpUser(gatewayUrl))
    await setPlan(user.id, tier, own)
    const { apiKey } = await createKeyFor(gatewayUrl, token, 'load')
    accounts.push({ id: user.id, email, password, tier, apiKey, token })
  }
  return accounts
}

/** A platform in use throttles sign-ups by address and may be overloaded. */
async function whenAdmitted(signUp: () => Promise<TestAccount>): Promise<TestAccount> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await signUp()
    } catch (error) {
      if (!/"status":(429|503|504)/.test(String(error)) || tries === TRIES_MAX) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function openOperator(
  gatewayUrl: string,
  operator: Exclude<Operator, { kind: 'none' }>,
): Promise<{ setPlan: SetPlan; close: () => Promise<void> }> {
  if (operator.kind === 'commands') return byCommands(operator)
  const { email, password } = operator
  // Only what a sign-in needs, because this account was not created here.
  const { jwtToken: token } = await signIn(gatewayUrl, { email, password } as TestAccount)
  return {
    async setPlan(accountId, tier, rateLimits) {
      const url = `${gatewayUrl}/api/v1/admin/subscriptions/${accountId}`
      const { status, body } = await send(url, { method: 'PUT', token, body: { tier, rateLimits } })
      if (status !== 200) throw new Error(`setting a plan as ${email} returned ${status} ${JSON.stringify(body)}`)
    },
    close: async () => undefined,
  }
}

function byCommands(addresses: Extract<Operator, { kind: 'commands' }>): {
  setPlan: SetPlan
  close: () => Promise<void>
} {
  const commands = callOperator(addresses)
  return {
    async setPlan(accountId, tier, limits) {
      // Fails if the databases belong to another platform than the gateway.
      await commands.ofUsers('show', accountId)
      await commands.ofPlans('set-tier', accountId, tier)
      if (limits !== null) await commands.ofPlans('set-limits', accountId, JSON.stringify(limits))
    },
    close: commands.close,
  }
}
