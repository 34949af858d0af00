import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { paths } from '../paths.ts'
import { useRouteError } from '../router.ts'
import { Button } from '../ui/Button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { isChunkFailure, reloadForChunk } from './chunk-failures.ts'

/** Shown when rendering failed. Both links reload the document, because the in-memory state is unreliable. */
export function ErrorScreen() {
  const error = useRouteError()
  const requestId = error instanceof ApiError ? error.requestId : undefined
  const isMissingPart = isChunkFailure(error)
  const [isShown, setShown] = useState(!isMissingPart)

  useEffect(() => {
    document.title = t`Something went wrong · Tapeline`
  }, [])

  useEffect(() => {
    if (isMissingPart) void reloadForChunk().then((isReloading) => setShown(!isReloading))
  }, [isMissingPart])

  if (!isShown) return null

  return (
    <main className="error-screen" role="alert">
      <div className="message">
        <h1 className="size-20">{t`Something went wrong`}</h1>
        <p>
          {isMissingPart
            ? t`Part of the page could not be loaded. Your data is not affected.`
            : t`The page could not be displayed. Your data is not affected.`}
        </p>
        <div className="row">
          <Button variant="primary" onClick={() => location.reload()}>
            {t`Try Again`}
          </Button>
          <a className={buttonClass()} href={paths.home}>
            {t`Go to Homepage`}
          </a>
        </div>
        {requestId !== undefined && (
          <span className="request-id">
            <Trans>request {requestId}</Trans>
          </span>
        )}
      </div>
    </main>
  )
}
