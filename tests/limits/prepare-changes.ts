import { signIn, signUpUser } from '@tapeline/testing/api-client'
import { callOperator, type OperatorAddresses } from '@tapeline/testing/operator'
import { onlyLimits } from '@tapeline/testing/set-subscription'
import { accountChanges, sessionChanges } from './account-changes.ts'
import type { Change } from './change.ts'
import { keyChanges } from './key-changes.ts'

/** All changes that apply to the next request. */
export const AT_ONCE = [
  'revocation',
  'key on and off',
  'networks',
  'scopes',
  'expiry',
  'account on and off',
  'tier',
  'plan by an admin',
  'limits by an admin',
  'role',
  'sign-out',
  'sign-out everywhere',
] as const

export type PreparedChanges = { list: Change[]; named: (name: string) => Change; end: () => Promise<void> }
export type ChangedPlatform = OperatorAddresses & { gatewayUrl: string }

/** Access tokens live 15 minutes; long runs sign in again. */
const TOKEN_USED_MS = 600_000

/** The changes, on accounts without binding limits. */
export async function prepareChanges(platform: ChangedPlatform): Promise<PreparedChanges> {
  const { gatewayUrl, configDatabaseUrl } = platform
  const operator = callOperator(platform)
  const newOwner = async () => {
    const account = await signUpUser(gatewayUrl)
    await operator.ofPlans('set-limits', account.user.id, JSON.stringify(onlyLimits({})))
    let [jwtToken, signedInMs] = [account.jwtToken, Date.now()]
    const token = async () => {
      if (Date.now() - signedInMs > TOKEN_USED_MS) {
        jwtToken = (await signIn(gatewayUrl, account)).jwtToken
        signedInMs = Date.now()
      }
      return jwtToken
    }
    return { gatewayUrl, configDatabaseUrl, operator, account, token }
  }
  const admin = await newOwner()
  await operator.ofUsers('set-role', admin.account.user.id, 'admin')
  const list = [
    ...(await keyChanges(await newOwner())),
    ...(await accountChanges(await newOwner(), admin)),
    ...sessionChanges(await newOwner()),
  ]
  return {
    list,
    named(name) {
      const found = list.find((change) => change.name === name)
      if (found === undefined) throw new Error(`no preparation for ${name}`)
      return found
    },
    end: operator.close,
  }
}
