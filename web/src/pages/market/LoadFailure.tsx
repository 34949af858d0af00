import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatClock } from '../../format/date.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

/** The limits per day and month free capacity much later. */
const WAIT_MAX_S = 3_600

type Props = { query: UseQueryResult<unknown>; title: string }

/**
 * One part of the page that could not be loaded; nothing while it has data or is still loading. A part that a limit
 * rejected is loaded again when the limit has capacity.
 */
export function LoadFailure({ query, title }: Props) {
  const { data, error, errorUpdatedAt, refetch } = query
  const waitS = data === undefined && error instanceof ApiError && error.status === 429 ? error.retryAfterS : undefined
  const againMs = waitS === undefined || waitS > WAIT_MAX_S ? undefined : errorUpdatedAt + waitS * 1_000
  useEffect(() => {
    if (againMs === undefined) return
    const timer = setTimeout(() => void refetch(), againMs - Date.now())
    return () => clearTimeout(timer)
  }, [againMs, refetch])
  if (data !== undefined || error === null) return null
  return (
    <ErrorPanel
      title={title}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      onRetry={() => void refetch()}
      isRetrying={query.isFetching}
    >
      {error.message} {againMs !== undefined && t`Next attempt at ${formatClock(againMs)} UTC.`}
    </ErrorPanel>
  )
}
