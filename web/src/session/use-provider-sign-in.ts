import { useSyncExternalStore } from 'react'
import { providerSignIn } from '../platform.ts'
import type { ProviderSignInState } from './provider-sign-in.ts'

export function useProviderSignIn(): ProviderSignInState {
  return useSyncExternalStore(providerSignIn.subscribe, providerSignIn.getState)
}
