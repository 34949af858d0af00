import { createKeyFor, send, signIn, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailedToken } from './mailed-token.ts'

/** An account with all its secrets by name. */
export type Watched = { account: TestAccount; apiKey: string; secrets: Record<string, string> }
type MixedRequest = { url: string; method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

const AT_ONCE = 8

export async function watchUser(): Promise<Watched> {
  const { gatewayUrl } = runningPlatform()
  const account = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken)
  const verification = await mailedToken(account.email, 'verify-email')
  await send(`${gatewayUrl}/api/v1/internal/user/forgot-password`, { body: { email: account.email } })
  const reset = await mailedToken(account.email, 'reset-password')
  const again = await signIn(gatewayUrl, account)
  const secrets = {
    apiKey,
    'secret of the key': apiKey.slice(21),
    password: account.password,
    'access token': account.jwtToken,
    'refresh token': account.refreshToken,
    'another access token': again.jwtToken,
    'another refresh token': again.refreshToken,
    'link that proves the address': verification,
    'link that sets a password': reset,
    'a password typed wrongly': `${account.password}-wrong`,
    'a new password': `new ${account.password}`,
  }
  return { account, apiKey, secrets }
}

/** Requests that contain a secret, in the right place and in wrong ones. */
export function requestsOf({ account, apiKey, secrets }: Watched): MixedRequest[] {
  const { gatewayUrl } = runningPlatform()
  const user = `${gatewayUrl}/api/v1/internal/user`
  const trades = `${gatewayUrl}/api/v1/trades/list`
  const body = { venues: ['sim'], limit: 1 }
  const { email, password, jwtToken } = account
  const oneByOne = Object.values(secrets).flatMap((secret): MixedRequest[] => [
    { url: `${trades}?q=${encodeURIComponent(secret)}`, token: apiKey, body },
    { url: `${gatewayUrl}/nowhere/${encodeURIComponent(secret)}` },
    { url: trades, token: apiKey, body: { ...body, symbols: [secret] } },
    { url: trades, token: secret, body },
    { url: trades, headers: { 'x-api-key': secret }, body },
    { url: `${user}/details`, token: secret, headers: { 'user-agent': 'a client', referer: `https://x.example/` } },
    { url: `${user}/refresh`, body: { refreshToken: secret } },
    { url: `${user}/verify-email`, body: { token: `${secret}x` } },
    { url: `${user}/verify-reset-token?token=${encodeURIComponent(secret)}` },
    {
      url: `${gatewayUrl}/api/v1/internal/api-keys/${encodeURIComponent(secret)}/revoke`,
      method: 'PATCH',
      token: jwtToken,
    },
  ])
  return [
    ...Array.from({ length: 12 }, () => ({ url: trades, token: apiKey, body })),
    { url: trades, token: jwtToken, body },
    { url: `${user}/login`, body: { email, password } },
    { url: `${user}/login`, body: { email, password: secrets['a password typed wrongly'] } },
    {
      url: `${user}/change-password`,
      token: jwtToken,
      body: { currentPassword: secrets['a password typed wrongly'], newPassword: secrets['a new password'] },
    },
    { url: `${user}/create`, method: 'PUT', body: { ...account, first_name: 1, password } },
    ...oneByOne,
  ]
}

/** Sends some requests concurrently and counts the answers by status. */
export async function sendAll(requests: readonly MixedRequest[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const queue = requests.values()
  const client = async () => {
    for (const { url, ...request } of queue) {
      const status = await send(url, request).then(
        (reply) => reply.status,
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return statuses
}
