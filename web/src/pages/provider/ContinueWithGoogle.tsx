import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { providerSignIn } from '../../platform.ts'
import { useLocation } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'

type Props = { label: string; failure: string; isDisabled?: boolean; onRefused?: () => void; describedBy?: string }

/** Leaves for the provider; until then the page stays as it is. */
export function ContinueWithGoogle({ label, failure, isDisabled = false, onRefused, describedBy }: Props) {
  const { search } = useLocation()
  const failureId = useId()
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  async function start(): Promise<void> {
    setBusy(true)
    setFailed(false)
    try {
      await providerSignIn.start(search)
    } catch {
      setFailed(true)
      setBusy(false)
    }
  }

  return (
    <div className="provider">
      <p className="or">{t`or`}</p>
      <Button
        size="large"
        isBusy={isBusy}
        isDisabled={isDisabled}
        aria-describedby={hasFailed ? failureId : describedBy}
        onClick={() => void start()}
        {...(onRefused === undefined ? {} : { onRefused })}
      >
        {label}
      </Button>
      <div className="slot" role="alert" id={failureId}>
        {hasFailed && <FieldError>{failure}</FieldError>}
      </div>
    </div>
  )
}
