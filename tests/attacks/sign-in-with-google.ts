import type { ProviderSignedIn, ProviderSignIn } from '@tapeline/contracts/identity/oauth'
import { type Reply, send } from '@tapeline/testing/api-client'
import { type ProviderChoice, signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'

type Data<T> = { data: T }
export type Returned = { code: string; state: string; binding: string; iss: string }

export const OAUTH = '/api/v1/internal/oauth/google'

/** Starts a sign-in as a browser: the redirect address and the binding it stores. */
export async function begin(gatewayUrl: string, token?: string): Promise<ProviderSignIn> {
  const reply = await send<Data<ProviderSignIn>>(gatewayUrl + OAUTH, token === undefined ? {} : { token })
  if (reply.status !== 200) throw new Error(`the start returned ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** The redirect back from the provider; `change` modifies its URL on the way. */
export async function visitProvider(
  gatewayUrl: string,
  choice: ProviderChoice,
  { change, token }: { change?: (authUrl: URL) => void; token?: string } = {},
): Promise<Returned> {
  const { authUrl, binding } = await begin(gatewayUrl, token)
  const url = new URL(authUrl)
  change?.(url)
  const { searchParams } = await signInAtProvider(url.href, choice)
  const get = (name: string) => searchParams.get(name) ?? ''
  return { binding, code: get('code'), state: get('state'), iss: get('iss') }
}

export function finish(gatewayUrl: string, body: Partial<Returned>): Promise<Reply<Data<ProviderSignedIn>>> {
  return send(`${gatewayUrl}${OAUTH}/callback`, { body })
}

/** Connects the provider with the account's password, after the page requested it. */
export function confirm(
  gatewayUrl: string,
  { state, binding }: Returned,
  password: string,
): Promise<Reply<Data<ProviderSignedIn>>> {
  return send(`${gatewayUrl}${OAUTH}/confirm`, { body: { state, binding, password } })
}

export function someEmail(): string {
  return `${crypto.randomUUID()}@example.com`
}
