import { t } from '@lingui/core/macro'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { deleteKey, regenerateKey, revokeKey } from './api-keys.queries.ts'

export type KeyChange = 'delete' | 'revoke' | 'regenerate'
type Words = { title: string; text: string; action: string; failure: string; done?: string }
type Change = { words: (name: string) => Words; run: (keyId: string) => Promise<CreatedKey | undefined> }

/** What is asked before a key is changed, and what then happens. Texts of the specification, word for word. */
export const keyChanges: Record<KeyChange, Change> = {
  delete: {
    words: (name) => ({
      title: t`Delete ${name}`,
      text: t`Are you sure you want to delete this API key? This action cannot be undone.`,
      action: t`Delete`,
      failure: t`Failed to delete API key. Please try again.`,
      done: t`${name} is deleted`,
    }),
    run: async (keyId) => {
      await deleteKey(keyId)
      return undefined
    },
  },
  revoke: {
    words: (name) => ({
      title: t`Revoke ${name}`,
      text: t`The very next request with this key is refused. It stays in the list with its history.`,
      action: t`Revoke`,
      failure: t`Failed to revoke API key. Please try again.`,
      done: t`${name} is revoked`,
    }),
    run: async (keyId) => {
      await revokeKey(keyId)
      return undefined
    },
  },
  regenerate: {
    words: (name) => ({
      title: t`Regenerate ${name}`,
      text: t`You get a new key with the same name and history. The old one stops working at once.`,
      action: t`Regenerate`,
      failure: t`Failed to regenerate API key. Please try again.`,
    }),
    run: (keyId) => regenerateKey(keyId),
  },
}
