import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { useUser } from '../../session/use-session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Paging } from '../../ui/rows/Paging.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import './audit-trail.css'
import { readTrailFilter, type TrailFilter, writeTrailFilter } from './trail-filter.ts'
import { trailQuery } from './trail.queries.ts'
import { TrailIntegrity } from './TrailIntegrity.tsx'
import { TrailFilters } from './TrailFilters.tsx'
import { TrailTable } from './TrailTable.tsx'

/** The account's append-only audit trail: action, actor and address. */
export function AuditTrailPage() {
  const [search, setSearch] = useSearchParams()
  const filter = readTrailFilter(search)
  const { role } = useUser()
  return (
    <div className="trail-page">
      <TrailFilters
        filter={filter}
        onChange={(changed) =>
          setSearch(writeTrailFilter({ ...readTrailFilter(searchNow()), ...changed }), { replace: true })
        }
      />
      <p className="state-line">
        {t`Sign-ins and changes to keys, plan and profile, newest first. Each entry contains the hash of the previous one, so a changed or removed entry is detected.`}
      </p>
      {role === 'admin' && <TrailIntegrity />}
      <Trail key={writeTrailFilter(filter).toString()} filter={filter} />
    </div>
  )
}

function Trail({ filter }: { filter: TrailFilter }) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const { dashboardItemsPerPage: limit, timezone } = useSettings()
  const page = useQuery(trailQuery(filter, timezone, { cursor: cursors.at(-1), limit }))
  if (page.data === undefined) {
    if (page.isPending) return <TrailSkeleton />
    return (
      <section className="panel">
        <ErrorPanel
          title={t`The audit trail could not be loaded`}
          requestId={page.error instanceof ApiError ? page.error.requestId : undefined}
          onRetry={() => void page.refetch()}
          isRetrying={page.isFetching}
        >
          {page.error?.message}
        </ErrorPanel>
      </section>
    )
  }
  const { entries, next_cursor } = page.data
  return (
    <section className="panel" aria-label={t`Audit trail`} aria-busy={page.isPlaceholderData}>
      {entries.length === 0 ? (
        <p className="message muted">{t`No entry matches this filter.`}</p>
      ) : (
        <TrailTable entries={entries} timeZone={timezone} />
      )}
      <Paging cursors={cursors} next={next_cursor} isBusy={page.isPlaceholderData} onTurn={setCursors} />
    </section>
  )
}

function TrailSkeleton() {
  return (
    <Skeleton label={t`Loading the audit trail`}>
      <section className="panel">
        <div className="message">
          {Array.from({ length: 8 }, (_, n) => (
            <Bone key={n} widthPx={420} />
          ))}
        </div>
      </section>
    </Skeleton>
  )
}
