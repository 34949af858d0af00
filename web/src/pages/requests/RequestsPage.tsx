import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { RequestPage } from '@tapeline/contracts/audit/requests'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { metricsQuery } from '../metrics/metrics.queries.ts'
import { RequestFilters } from './RequestFilters.tsx'
import { RequestLog, StripBones } from './RequestLog.tsx'
import { RequestPanel } from './RequestPanel.tsx'
import './requests.css'
import {
  isFiltered,
  readRequestsFilter,
  type RequestsFilter,
  tapeFilter,
  writeRequestsFilter,
} from './requests-filter.ts'
import { reportOfRequests } from './report-of-requests.ts'
import { requestsQuery } from './requests.queries.ts'
import { useCopyOnC } from './use-copy-on-c.ts'

const BONES = 20
/** Parameter of the URL with the id of the explained request. */
const CHOSEN = 'id'

/** The list of counted requests, with an explanation of each answer. */
export function RequestsPage() {
  const [search, setSearch] = useSearchParams()
  const filter = readRequestsFilter(search)
  const filterText = writeRequestsFilter(filter).toString()
  return (
    <div className="requests">
      <RequestFilters
        filter={filter}
        onChange={(changed) =>
          setSearch(writeRequestsFilter({ ...readRequestsFilter(searchNow()), ...changed }), { replace: true })
        }
      />
      <Log
        key={filterText}
        filter={filter}
        chosen={search.get(CHOSEN) ?? undefined}
        onChoose={(id) => {
          const next = writeRequestsFilter(readRequestsFilter(searchNow()))
          if (id !== undefined) next.set(CHOSEN, id)
          setSearch(next, { replace: true })
        }}
      />
    </div>
  )
}

type LogProps = { filter: RequestsFilter; chosen: string | undefined; onChoose: (id: string | undefined) => void }

function Log({ filter, chosen, onChoose }: LogProps) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const { dashboardItemsPerPage: limit } = useSettings()
  const page = useQuery(requestsQuery(filter, { cursor: cursors.at(-1), limit }))
  const metrics = useQuery(metricsQuery(tapeFilter(filter)))
  if (page.data === undefined) {
    return page.isPending ? <LogSkeleton /> : <LogError error={page.error} onRetry={() => void page.refetch()} />
  }
  return (
    <LoadedLog
      page={page.data}
      isFiltered={isFiltered(filter)}
      isBusy={page.isPlaceholderData}
      isStale={page.isError}
      report={metrics.data && tapeReport(metrics.data, page.data, filter)}
      isReportDue={metrics.isLoading}
      cursors={cursors}
      onTurn={setCursors}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

/** With a request id in the filter, the counts come from the listed requests; more than one page of them has no tape. */
function tapeReport(report: UsageReport, { requests, next_cursor }: RequestPage, { requestId }: RequestsFilter) {
  if (requestId === undefined) return report
  return next_cursor === null ? reportOfRequests(report, requests) : undefined
}

type LoadedLogProps = Pick<LogProps, 'chosen' | 'onChoose'> &
  Pick<ComponentProps<typeof RequestLog>, 'page' | 'isFiltered' | 'report' | 'isReportDue' | 'isBusy' | 'isStale'> & {
    /** Cursors of the pages that were opened, the current one last. */
    cursors: readonly string[]
    onTurn: (cursors: readonly string[]) => void
  }

function LoadedLog({ cursors, onTurn, chosen, onChoose, ...log }: LoadedLogProps) {
  const { requests } = log.page
  const { timezone: timeZone } = useSettings()
  const here = requests.findIndex(({ id }) => id === chosen)
  const [newer, older] = here < 0 ? [] : [requests[here - 1], requests[here + 1]]
  const split = useRef<HTMLDivElement>(null)
  useCopyOnC(split, requests[here])
  return (
    <div className={chosen === undefined ? 'split is-single' : 'split'} ref={split}>
      <RequestLog {...log} timeZone={timeZone} chosen={chosen} onChoose={onChoose} cursors={cursors} onTurn={onTurn} />
      {chosen !== undefined && (
        <RequestPanel
          id={chosen}
          timeZone={timeZone}
          onClose={() => onChoose(undefined)}
          onNewer={newer && (() => onChoose(newer.id))}
          onOlder={older && (() => onChoose(older.id))}
        />
      )}
    </div>
  )
}

function LogError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return (
    <section className="panel">
      <ErrorPanel
        title={t`Your requests could not be loaded`}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={onRetry}
      >
        {error?.message}
      </ErrorPanel>
    </section>
  )
}

function LogSkeleton() {
  return (
    <Skeleton label={t`Loading your requests`}>
      <section className="panel log-bones">
        <StripBones />
        {Array.from({ length: BONES }, (_, n) => (
          <div key={n}>
            <Bone widthPx={110} />
            <Bone widthPx={40} />
            <Bone widthPx={180} />
          </div>
        ))}
      </section>
    </Skeleton>
  )
}
