import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { LIMIT_FIELDS, type LimitField, sentNumber } from '../../admin/limit-fields.ts'
import { KeyShadowResult } from './KeyShadowResult.tsx'
import './key-shadow.css'
import { proposeKeyLimits } from './key-shadow.queries.ts'
import { ConfirmShadowChange, type ShadowChange } from './ConfirmShadowChange.tsx'
import { ProposedKeyLimits, type TypedLimits } from './ProposedKeyLimits.tsx'

type TryLimitsDialogProps = { apiKey: ApiKey; onClose: () => void }

/** Limits of a key that are tried on its requests before they are enforced, and what they would have rejected. */
export function TryLimitsDialog({ apiKey, onClose }: TryLimitsDialogProps) {
  const formId = useId()
  const [pendingChange, setPendingChange] = useState<ShadowChange>()
  const { entered, isChanged, isBusy, error, change, save } = useProposal(apiKey)
  const { shadow_limits: shadow } = apiKey
  return (
    <Dialog
      title={t`Try limits of ${apiKey.name}`}
      lead={t`Every request of the key is also checked against them. Nothing is rejected until you apply them.`}
      className="dialog-shadow"
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy} isDisabled={!isChanged}>
            {t`Try these limits`}
          </Button>
          <Button isDisabled={shadow === undefined || isChanged} onClick={() => setPendingChange('apply')}>
            {t`Apply`}
          </Button>
          <Button isDisabled={shadow === undefined} onClick={() => setPendingChange('withdraw')}>
            {t`Remove`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack wide" noValidate onSubmit={(event) => void save(event)}>
        <ProposedKeyLimits apiKey={apiKey} entered={entered} onChange={change} />
        <div className="slot" role="alert">
          {error !== undefined && <FieldError>{error}</FieldError>}
        </div>
      </form>
      <KeyShadowResult shadow={shadow} />
      {pendingChange !== undefined && (
        <ConfirmShadowChange
          what={pendingChange}
          apiKey={apiKey}
          onDone={onClose}
          onClose={() => setPendingChange(undefined)}
        />
      )}
    </Dialog>
  )
}

/** The entered limits, which begin with the proposed ones, or else with those in force. */
function useProposal(apiKey: ApiKey) {
  const [typed, setTyped] = useState<TypedLimits>({})
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { shadow_limits: shadow } = apiKey
  const entered = { ...textsOf(shadow?.rate_limits ?? apiKey.rate_limits), ...typed }
  const isChanged = shadow === undefined ? sentLimits(entered) !== undefined : Object.keys(typed).length > 0

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const limits = sentLimits(entered)
    if (!isChanged || isBusy) return
    if (limits === undefined) return setError(t`Enter at least one limit, or remove the shadow limits.`)
    setBusy(true)
    setError(undefined)
    try {
      await proposeKeyLimits(apiKey.id, limits)
      setTyped({})
      showToast({ type: 'success', title: t`Shadow limits saved` })
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : t`The server did not answer. Nothing was changed.`)
    } finally {
      setBusy(false)
    }
  }

  function change(field: LimitField, text: string): void {
    setTyped({ ...typed, [field]: text })
    setError(undefined)
  }

  return { entered, isChanged, isBusy, error, change, save }
}

function textsOf(limits: ApiKey['rate_limits']): TypedLimits {
  return Object.fromEntries(
    LIMIT_FIELDS.flatMap(({ field }) => {
      const limit = limits?.[field]
      return limit === undefined ? [] : [[field, String(limit)]]
    }),
  )
}

/** Undefined: no limit is entered. */
function sentLimits(entered: TypedLimits): Record<string, unknown> | undefined {
  const given = LIMIT_FIELDS.map(({ field }) => [field, sentNumber(entered[field] ?? '')] as const)
  const filled = given.filter(([, limit]) => limit !== null)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}
