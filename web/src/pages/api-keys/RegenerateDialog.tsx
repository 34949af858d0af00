import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { type ReactNode, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { replacementText } from './secret-use.ts'
import { regenerateKey } from './send-key-changes.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import type { HeldSecret } from './new-key/hold-secret.ts'

const GRACES: readonly { seconds: number; label: MessageDescriptor }[] = [
  { seconds: 0, label: msg`Immediately` },
  { seconds: 60, label: msg`After 1 minute` },
  { seconds: 900, label: msg`After 15 minutes` },
  { seconds: 3_600, label: msg`After 1 hour` },
  { seconds: 21_600, label: msg`After 6 hours` },
  { seconds: 86_400, label: msg`After 24 hours` },
]

type RegenerateDialogProps = {
  apiKey: ApiKey
  impact: ReactNode
  /** Default time for which the old secret still works. */
  graceSeconds?: number
  onRegenerated: (secret: HeldSecret) => void
  onClose: () => void
}

/** Creates a new secret for the same key; the old one can remain valid until all programs use the new one. */
export function RegenerateDialog({ apiKey, graceSeconds = 0, ...shown }: RegenerateDialogProps) {
  const { impact, onRegenerated, onClose } = shown
  const [seconds, setSeconds] = useState(graceSeconds)
  return (
    <ConfirmDialog
      title={t`Regenerate ${apiKey.name}`}
      text={replacementText(apiKey, seconds)}
      impact={impact}
      action={t`Regenerate`}
      failure={t`Failed to regenerate API key. Please try again.`}
      onConfirm={async () => onRegenerated(await regenerateKey(apiKey.id, seconds))}
      onClose={onClose}
    >
      <Field label={t`The old key stops working`}>
        {(control) => (
          <Select
            {...control}
            value={seconds}
            onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
          >
            {GRACES.map((grace) => (
              <option key={grace.seconds} value={grace.seconds}>
                {i18n._(grace.label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </ConfirmDialog>
  )
}
