import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { ApiError } from '../api/api-error.ts'
import { paths } from '../paths.ts'
import { useRouteError } from '../router.ts'
import { Button } from '../ui/Button.tsx'
import { buttonClass } from '../ui/button-class.ts'

/** The page stopped while it was drawn. Both ways out load the page anew, because what is in memory is broken. */
export function ErrorScreen() {
  const error = useRouteError()
  const requestId = error instanceof ApiError ? error.requestId : undefined

  useEffect(() => {
    document.title = t`Something went wrong · Tapeline`
  }, [])

  return (
    <main className="error-screen" role="alert">
      <div className="msg">
        <h1 className="t20">{t`Something went wrong`}</h1>
        <p>{t`The page stopped while it was drawn. Your data is not affected.`}</p>
        <div className="row">
          <Button variant="primary" onClick={() => location.reload()}>
            {t`Try Again`}
          </Button>
          <a className={buttonClass()} href={paths.home}>
            {t`Go to Homepage`}
          </a>
        </div>
        {requestId !== undefined && (
          <span className="rid">
            <Trans>request {requestId}</Trans>
          </span>
        )}
      </div>
    </main>
  )
}
