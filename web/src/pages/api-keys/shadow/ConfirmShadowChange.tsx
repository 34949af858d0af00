import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { applyKeyLimits, withdrawKeyLimits } from './key-shadow.queries.ts'

export type ShadowChange = 'apply' | 'withdraw'
type ConfirmShadowChangeProps = { what: ShadowChange; apiKey: ApiKey; onDone: () => void; onClose: () => void }

/** The shadow limits become those of the key, or are removed. */
export function ConfirmShadowChange({ what, apiKey, onDone, onClose }: ConfirmShadowChangeProps) {
  const { id, name, shadow_limits: shadow } = apiKey
  if (shadow === undefined) return null
  if (what === 'withdraw') {
    return (
      <ConfirmDialog
        title={t`Remove the shadow limits of ${name}?`}
        text={t`Requests are no longer checked against them.`}
        impact={t`Today’s limits stay.`}
        action={t`Remove`}
        variant="primary"
        failure={t`Failed to remove the shadow limits. Please try again.`}
        done={t`Shadow limits removed`}
        onConfirm={() => withdrawKeyLimits(id)}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={t`Apply the shadow limits to ${name}?`}
      text={t`They replace the key’s own limits from the next request on.`}
      impact={t`Requests above them are rejected with status 429.`}
      action={t`Apply`}
      failure={t`Failed to apply the limits. Please try again.`}
      done={t`The limits of ${name} are applied`}
      onConfirm={async () => {
        await applyKeyLimits(id, shadow.id)
        onDone()
      }}
      onClose={onClose}
    />
  )
}
