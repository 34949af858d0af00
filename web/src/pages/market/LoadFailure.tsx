import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

/** One part of the page that could not be loaded; nothing while it has data or is still loading. */
export function LoadFailure({ query, title }: { query: UseQueryResult<unknown>; title: string }) {
  const { data, error } = query
  if (data !== undefined || error === null) return null
  return (
    <ErrorPanel
      title={title}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    >
      {error.message}
    </ErrorPanel>
  )
}
