import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'

type ErrorPanelProps = {
  /** The error. */
  title: string
  /** Which data were kept, and what the user can do. */
  children?: ReactNode
  requestId?: string | undefined
  onRetry?: () => void
  isRetrying?: boolean
}

/** One panel that failed; the rest of the page stays. */
export function ErrorPanel({ title, children, requestId, onRetry, isRetrying = false }: ErrorPanelProps) {
  return (
    <div className="message" role="alert">
      <h3>{title}</h3>
      {children !== undefined && <p>{children}</p>}
      <div className="row">
        {onRetry !== undefined && (
          <Button onClick={onRetry} isBusy={isRetrying} icon={<RotateCw className="icon" aria-hidden="true" />}>
            {t`Try Again`}
          </Button>
        )}
        {requestId !== undefined && (
          <CopyButton label={t`Copy details`} text={t`${title}\nrequest ${requestId}`}>
            {t`Copy details`}
          </CopyButton>
        )}
      </div>
      {requestId !== undefined && (
        <span className="request-id">
          <Trans>request {requestId}</Trans>
        </span>
      )}
    </div>
  )
}
