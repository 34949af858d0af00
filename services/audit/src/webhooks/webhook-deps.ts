import type { EndpointRules } from '@tapeline/service/outbound/check-endpoint'
import type { Deps } from '../deps.ts'
import type { SecretVault } from './secret-vault.ts'

export type WebhookDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'cursorKey' | 'settings'> & {
  vault: SecretVault
  /** Which URLs may be called. */
  addresses: EndpointRules
}
