import { t } from '@lingui/core/macro'
import { deleteKey, revokeKey } from './send-key-changes.ts'

export type KeyChange = 'delete' | 'revoke'
type Words = { title: string; text: string; action: string; failure: string; done?: string }
type Change = { words: (name: string) => Words; run: (keyId: string) => Promise<void> }

/** Confirmation and request of each change of a key. Their texts are part of the product specification. */
export const keyChanges: Record<KeyChange, Change> = {
  delete: {
    words: (name) => ({
      title: t`Delete ${name}`,
      text: t`Are you sure you want to delete this API key? This action cannot be undone.`,
      action: t`Delete`,
      failure: t`Failed to delete API key. Please try again.`,
      done: t`${name} is deleted`,
    }),
    run: deleteKey,
  },
  revoke: {
    words: (name) => ({
      title: t`Revoke ${name}`,
      text: t`The next request with this key is rejected. The key stays in the list with its history.`,
      action: t`Revoke`,
      failure: t`Failed to revoke API key. Please try again.`,
      done: t`${name} is revoked`,
    }),
    run: revokeKey,
  },
}
