import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { bookGapsQuery } from '../../api/book-gaps.queries.ts'
import { addDays } from '../../format/day.ts'
import { useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { CoveragePanel } from './calendar/CoveragePanel.tsx'
import { coverageLines } from './calendar/coverage-days.ts'
import { DownloadFilters } from './DownloadFilters.tsx'
import { type DownloadsFilter, readDownloadsFilter, writeDownloadsFilter } from './downloads-filter.ts'
import { filesQuery } from './downloads.queries.ts'
import { FilesPanel } from './files/FilesPanel.tsx'
import { chosenInstrument, isListed, shownDays, shownInstruments } from './shown.ts'

const INSTRUMENTS_STEP = 5

/** `instruments` have records and are not empty. */
export function Downloads({ instruments }: { instruments: readonly Instrument[] }) {
  const [search, setSearch] = useSearchParams()
  const [count, setCount] = useState(INSTRUMENTS_STEP)
  const filter = readDownloadsFilter(search)
  const chosen = chosenInstrument(instruments, filter)
  const days = shownDays(filter, chosen)
  const shown = shownInstruments(instruments, chosen, count)
  const files = useQuery(filesQuery(shown, days, shown.length === instruments.length))
  const gaps = useQuery(bookGapsQuery(shown, { start: days.first, end: addDays(days.last, 1) }))
  const change = (changed: Partial<DownloadsFilter>) =>
    setSearch(writeDownloadsFilter({ ...readDownloadsFilter(searchNow()), ...changed }), { replace: true })

  const lines = coverageLines(shown, { files: files.data?.files ?? [], gaps: gaps.data ?? [] }, days)
  const matching = lines.filter(
    ({ instrument, channel }) => instrument === chosen && (filter.channel === undefined || channel === filter.channel),
  )
  const isOfChosen = isListed(files.data?.of, chosen, days)
  const listed = { instrument: chosen, lines: matching, filter, days }
  return (
    <div className="downloads">
      <DownloadFilters
        instruments={instruments}
        chosen={chosen}
        filter={filter}
        days={days}
        finalTo={isOfChosen ? earliest(matching.map(({ finalTo }) => finalTo)) : undefined}
        onChange={change}
      />
      {files.data === undefined ? (
        <FilesMissing
          error={files.error}
          isPending={files.isPending}
          isRetrying={files.isFetching}
          onRetry={() => void files.refetch()}
        />
      ) : (
        <>
          <CoveragePanel
            lines={lines}
            days={days}
            chosen={chosen}
            filter={filter}
            isBusy={files.isPlaceholderData}
            isCut={files.data.isCut}
            gapsError={gaps.error?.message}
            hidden={instruments.length - shown.length}
            onMore={() => setCount(count + INSTRUMENTS_STEP)}
            onChange={change}
          />
          {isOfChosen ? (
            <FilesPanel key={`${chosen.instrument_id} ${writeDownloadsFilter(filter).toString()}`} {...listed} />
          ) : (
            <FilesLoading />
          )}
        </>
      )}
    </div>
  )
}

function earliest(dates: readonly (string | undefined)[]): string | undefined {
  const [least] = dates.filter((date) => date !== undefined).toSorted((a, b) => a.localeCompare(b))
  return dates.includes(undefined) ? undefined : least
}

type MissingProps = { error: Error | null; isPending: boolean; isRetrying: boolean; onRetry: () => void }

function FilesMissing({ error, isPending, isRetrying, onRetry }: MissingProps) {
  if (isPending) return <FilesLoading />
  return (
    <section className="panel">
      <ErrorPanel
        title={t`The files could not be loaded`}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={onRetry}
        isRetrying={isRetrying}
      >
        {error?.message}
      </ErrorPanel>
    </section>
  )
}

function FilesLoading() {
  return (
    <section className="panel">
      <Skeleton label={t`Loading the files`}>
        <div className="message">
          {Array.from({ length: INSTRUMENTS_STEP }, (_, n) => (
            <Bone key={n} widthPx={520} heightPx={14} />
          ))}
        </div>
      </Skeleton>
    </section>
  )
}
