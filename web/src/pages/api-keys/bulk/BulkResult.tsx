import { plural, t } from '@lingui/core/macro'
import type { BulkAnswer } from '@tapeline/contracts/api-key/bulk'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { SecretGuard } from '../../SecretGuard.tsx'
import { undoChange } from './bulk.queries.ts'

type BulkResultProps = { tag: string; result: BulkAnswer; onClose: () => void }

/** The outcome of each key. New secrets are shown this once: the dialog stays until they were copied. */
export function BulkResult({ tag, result: { keys }, onClose }: BulkResultProps) {
  const [isCopied, setCopied] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const failed = keys.filter((one) => one.failed !== undefined)
  const secrets = keys.flatMap(({ key, apiKey }) => (apiKey === undefined ? [] : [`${key.name}\t${apiKey}`]))
  const canUndo = keys.some(({ undo }) => undo !== undefined)
  const canClose = secrets.length === 0 || isCopied
  const changed = keys.length - failed.length

  function copied(failure?: string): void {
    setCopied(true)
    setProblem(failure)
  }

  async function undo(): Promise<void> {
    setBusy(true)
    try {
      const count = await undoChange(keys)
      onClose()
      showToast({
        type: 'success',
        title: plural(count, { one: 'Change undone for # key', other: 'Change undone for # keys' }),
      })
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <Dialog
      title={t`Keys tagged ${tag}`}
      lead={plural(changed, { one: '# key is changed', other: '# keys are changed' })}
      onClose={onClose}
      canClose={canClose && !isBusy}
      onCloseRefused={() => setProblem(t`Copy the secrets first: they cannot be shown again.`)}
      foot={
        <>
          <Button variant="primary" isDisabled={!canClose || isBusy} onClick={onClose}>
            {t`Done`}
          </Button>
          {canUndo && (
            <Button isBusy={isBusy} onClick={() => void undo()}>
              {t`Undo`}
            </Button>
          )}
        </>
      }
    >
      <Failed keys={failed} />
      <Secrets secrets={secrets} onCopied={copied} />
      <SecretGuard isCopied={canClose} />
      <div className="slot" role="alert">
        {problem !== undefined && <FieldError>{problem}</FieldError>}
      </div>
    </Dialog>
  )
}

function Failed({ keys }: { keys: BulkAnswer['keys'] }) {
  if (keys.length === 0) return null
  return (
    <ul className="bulk-failed">
      {keys.map(({ key, failed: code }) => (
        <li key={key.id}>
          {key.name} <code>{code}</code>
        </li>
      ))}
    </ul>
  )
}

function Secrets({ secrets, onCopied }: { secrets: readonly string[]; onCopied: (failure?: string) => void }) {
  if (secrets.length === 0) return null
  return (
    <>
      <p className="muted">{t`New secrets, by name. This is the only time they are shown.`}</p>
      <div className="command">
        <pre data-testid="bulk-secrets">{secrets.join('\n')}</pre>
        <CopyButton
          text={secrets.join('\n')}
          label={t`Copy the new secrets`}
          onCopied={() => onCopied()}
          onFailed={() => onCopied(t`Failed to copy the secrets. Select them and copy them manually.`)}
        >
          {t`Copy the new secrets`}
        </CopyButton>
      </div>
    </>
  )
}
