import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { deleteKey, regenerateKey, revokeKey } from './api-keys.queries.ts'

export type KeyChange = 'delete' | 'revoke' | 'regenerate'
type Words = { title: string; text: string; action: string; failure: string; done?: string }
type Change = { words: (name: string) => Words; run: (keyId: string) => Promise<CreatedKey | undefined> }

/** What is asked before a key is changed, and what then happens. Texts of the specification, word for word. */
export const keyChanges: Record<KeyChange, Change> = {
  delete: {
    words: (name) => ({
      title: `Delete ${name}`,
      text: 'Are you sure you want to delete this API key? This action cannot be undone.',
      action: 'Delete',
      failure: 'Failed to delete API key. Please try again.',
      done: `${name} is deleted`,
    }),
    run: async (keyId) => {
      await deleteKey(keyId)
      return undefined
    },
  },
  revoke: {
    words: (name) => ({
      title: `Revoke ${name}`,
      text: 'The very next request with this key is refused. It stays in the list with its history.',
      action: 'Revoke',
      failure: 'Failed to revoke API key. Please try again.',
      done: `${name} is revoked`,
    }),
    run: async (keyId) => {
      await revokeKey(keyId)
      return undefined
    },
  },
  regenerate: {
    words: (name) => ({
      title: `Regenerate ${name}`,
      text: 'You get a new key with the same name and history. The old one stops working at once.',
      action: 'Regenerate',
      failure: 'Failed to regenerate API key. Please try again.',
    }),
    run: (keyId) => regenerateKey(keyId),
  },
}
