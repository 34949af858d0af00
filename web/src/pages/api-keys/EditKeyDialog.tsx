import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { TagsFields } from './many/TagsFields.tsx'
import { NameAndExpiry, ScopesAndNetworks } from './KeyFields.tsx'
import { useEditKey } from './use-edit-key.ts'

/** Everything of a key but its secret; it holds with the next request. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const formId = useId()
  const { form, change, errors, isBusy, isChanged, submit } = useEditKey(apiKey, onClose)
  const fields = { form, change, errors }
  return (
    <Dialog
      title={t`Edit ${apiKey.name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy} isDisabled={!isChanged}>
            {t`Save Key`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack wide" onSubmit={submit} noValidate>
        <NameAndExpiry {...fields} />
        <TagsFields {...fields} />
        <ScopesAndNetworks {...fields} kind={apiKey.kind} />
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}
