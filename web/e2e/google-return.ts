import type { ProviderSignIn } from '@tapeline/contracts/identity/oauth'
import { send } from '@tapeline/testing/api-client'
import { type ProviderChoice, signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'
import { runningPlatform } from '../../tests/platform/running-platform.ts'

/** The provider's redirect parameters, and the binding stored by the browser. */
export type GoogleReturn = { binding: string; search: URLSearchParams }

/** Signs in at the provider and returns the redirect URL of the dashboard. */
export async function returnFromGoogle(choice: ProviderChoice): Promise<GoogleReturn> {
  const { body } = await send<{ data: ProviderSignIn }>(`${runningPlatform().gatewayUrl}/api/v1/internal/oauth/google`)
  const { authUrl, binding } = body.data
  return { binding, search: (await signInAtProvider(authUrl, choice)).searchParams }
}
