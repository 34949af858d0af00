import type { SetPlan } from '@tapeline/contracts/config/plans'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { createKeyFor, signIn, type TestAccount } from '@tapeline/testing/api-client'
import { insertFlag } from '@tapeline/testing/insert-flag'
import type { Operator } from '@tapeline/testing/operator'
import { NO_LIMIT, onlyLimits } from '@tapeline/testing/set-subscription'
import { accepting, accessProbe, appliedBy, type Change, change, marketData, refusing, type Step } from './change.ts'
import type { Answer, Probe } from './steady-requests.ts'

export type AccountOwner = {
  gatewayUrl: string
  configDatabaseUrl: string
  operator: Operator
  account: TestAccount
  token: () => Promise<string>
}

const planned: Probe = { method: 'GET', path: '/api/v1/limits', stateOf: tierIn }

/** Changes of an account that apply to the next request. */
export async function accountChanges(owner: AccountOwner, admin: AccountOwner): Promise<Change[]> {
  const { gatewayUrl, operator, account, token } = owner
  const { id } = account.user
  const { apiKey } = await createKeyFor(gatewayUrl, await token())
  const users = (...words: string[]) => operator.ofUsers(...words).then(appliedBy)
  return [
    {
      name: 'account on and off',
      probe: marketData,
      newTrial: async () => ({
        credential: apiKey,
        steps: [
          refusing('account deactivated', () => users('set-status', id, 'inactive')),
          accepting('account re-activated', () => users('set-status', id, 'active')),
        ],
      }),
    },
    {
      name: 'tier',
      probe: planned,
      newTrial: async () => ({
        credential: apiKey,
        steps: toAndFro('free', 'pro', (tier) => setTierOf(owner, tier)),
      }),
    },
    {
      name: 'plan by an admin',
      probe: planned,
      newTrial: async () => ({
        credential: apiKey,
        steps: toAndFro('free', 'pro', (tier) => setPlanOf(owner, admin, { tier, rateLimits: onlyLimits({}) })),
      }),
    },
    {
      name: 'limits by an admin',
      probe: { ...planned, stateOf: minuteLimitIn },
      newTrial: async () => ({
        credential: apiKey,
        steps: toAndFro(String(NO_LIMIT), String(NO_LIMIT - 1), (limit) =>
          setPlanOf(owner, admin, { rateLimits: onlyLimits({ requestsPerMinute: Number(limit) }) }),
        ),
      }),
    },
    {
      name: 'role',
      probe: await roleProbe(owner),
      newTrial: async () => ({
        credential: await token(),
        steps: toAndFro('user', 'tester', (role) => users('set-role', id, role)),
      }),
    },
  ]
}

/** Changes that end sessions, on an account whose other sessions are not used. */
export function sessionChanges(owner: AccountOwner): Change[] {
  const { gatewayUrl, operator, account } = owner
  return [
    signedOut(owner, 'sign-out', ({ jwtToken }) =>
      change(`${gatewayUrl}/api/v1/internal/user/logout`, { method: 'PATCH', token: jwtToken }),
    ),
    signedOut(owner, 'sign-out everywhere', () => operator.ofUsers('end-sessions', account.user.id).then(appliedBy)),
  ]
}

function toAndFro<T extends string>(one: T, other: T, set: (value: T) => ReturnType<Step['apply']>): Step[] {
  return [
    { name: `to ${other}`, was: one, becomes: other, apply: () => set(other) },
    { name: `to ${one}`, was: other, becomes: one, apply: () => set(one) },
  ]
}

/** A lower tier removes custom limits: they are set again, for the changes that follow. */
async function setTierOf({ operator, account }: AccountOwner, tier: string) {
  const applied = appliedBy(await operator.ofPlans('set-tier', account.user.id, tier))
  await operator.ofPlans('set-limits', account.user.id, JSON.stringify(onlyLimits({})))
  return applied
}

/** Changes that an admin makes on the page of an account. */
async function setPlanOf({ gatewayUrl, account }: AccountOwner, admin: AccountOwner, body: SetPlan) {
  const url = `${gatewayUrl}/api/v1/admin/subscriptions/${account.user.id}`
  return change(url, { method: 'PUT', token: await admin.token(), body })
}

/** Each trial ends a different session. */
function signedOut(
  { gatewayUrl, account }: AccountOwner,
  name: string,
  end: (session: { jwtToken: string }) => ReturnType<Step['apply']>,
): Change {
  return {
    name,
    probe: accessProbe,
    async newTrial() {
      const session = await signIn(gatewayUrl, account)
      return { credential: session.jwtToken, steps: [refusing(name, () => end(session))] }
    },
  }
}

/** A flag that only testers receive shows which role the gateway passes on. */
async function roleProbe({ configDatabaseUrl }: AccountOwner): Promise<Probe> {
  const flag = `for_testers_${crypto.randomUUID().slice(0, 8)}`
  await insertFlag(configDatabaseUrl, flag, 'tester')
  return {
    method: 'GET',
    path: `/api/v1/internal/user/feature-flags/${flag}`,
    stateOf: ({ status }) => (status === 200 ? 'tester' : status === 404 ? 'user' : String(status)),
  }
}

function tierIn({ status, body }: Answer): string {
  if (status !== 200) return String(status)
  const answer: { data: { tier: string } } = JSON.parse(body)
  return answer.data.tier
}

function minuteLimitIn({ status, body }: Answer): string {
  if (status !== 200) return String(status)
  const answer: { data: LimitsReport } = JSON.parse(body)
  return String(answer.data.windows.find(({ policy }) => policy === 'min')?.limit)
}
