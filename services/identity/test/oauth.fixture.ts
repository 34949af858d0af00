import type { Actor } from '@tapeline/contracts/actor'
import { type ProviderChoice, signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'
import { startTestProvider } from '@tapeline/testing/pages/identity-provider'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../src/deps.ts'
import { GOOD_PASSWORD } from './deps.fixture.ts'
import { testIdentity } from './identity.fixture.ts'
import { confirmLink } from '../src/oauth/confirm-link.ts'
import { finishProviderSignIn } from '../src/oauth/finish-provider-sign-in.ts'
import { createProvider } from '../src/oauth/provider.ts'
import { startProviderSignIn } from '../src/oauth/start-provider-sign-in.ts'

const REDIRECT_URI = 'https://tapeline.test/dashboard'

/** Identity on a database of the test, with a real provider. */
export async function testOauth() {
  const identity = await testIdentity()
  const provider = await startTestProvider(REDIRECT_URI)
  const settings = { ...provider, redirectUri: REDIRECT_URI, timeoutSeconds: 30 }
  const deps: Deps = { ...identity.deps, provider: createProvider(settings, identity.deps.now) }
  const { anonymous } = identity
  /** Goes to the provider and back, without finishing the flow. */
  const visitProvider = async (choice: ProviderChoice, actor: Actor = anonymous) => {
    const { authUrl, binding } = await startProviderSignIn(deps, actor)
    return { binding, ...returned(await signInAtProvider(authUrl, choice)) }
  }
  const signInByProvider = async (choice: ProviderChoice, actor: Actor = anonymous) =>
    finishProviderSignIn(deps, actor, await visitProvider(choice, actor))
  return {
    ...identity,
    deps,
    provider,
    visitProvider,
    finish: (input: Parameters<typeof finishProviderSignIn>[2]) => finishProviderSignIn(deps, anonymous, input),
    signInByProvider,
    /** A signed-in user links an identity with another address, which requires their password. */
    connectWithPassword: async (choice: ProviderChoice, actor: Actor) => {
      const back = await visitProvider(choice, actor)
      const refusal = await finishProviderSignIn(deps, anonymous, back).catch((error: unknown) => error)
      if (!(refusal instanceof AppError && refusal.code === 'oauth.password_needed')) throw refusal
      return confirmLink(deps, anonymous, { state: back.state, binding: back.binding, password: GOOD_PASSWORD })
    },
    close: async () => {
      provider.stop()
      await identity.close()
    },
  }
}

export function returned(url: URL): { code: string; state: string; iss: string } {
  const get = (name: string) => url.searchParams.get(name) ?? ''
  return { code: get('code'), state: get('state'), iss: get('iss') }
}

/** A unique address. */
export function someEmail(): string {
  return `olga-${crypto.randomUUID()}@example.com`
}
