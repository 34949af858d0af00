import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { endsOf } from '../metrics/chart/bucket-time.ts'
import { outcomeSentence } from '../metrics/chart/outcome-sentence.ts'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { LoggedRequest, RequestPage } from '@tapeline/contracts/audit/requests'
import type { CSSProperties } from 'react'
import { formatClock, formatDateTime } from '../../format/date.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { Paging } from '../../ui/rows/Paging.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Table } from '../../ui/rows/Table.tsx'
import { placeholderSlots, Tape } from '../../ui/Tape.tsx'
import { outcomeSlots } from '../metrics/chart/outcome-slots.ts'
import { thinSeries } from '../metrics/chart/thin-series.ts'
import { requestTime } from './request-time.ts'
import { toneOf } from './verdict.ts'

type RequestLogProps = {
  page: RequestPage
  isFiltered: boolean
  report: UsageReport | undefined
  /** Its space is reserved until it is loaded. */
  isReportDue: boolean
  timeZone: string
  chosen: string | undefined
  onChoose: (id: string) => void
  isBusy: boolean
  isStale: boolean
  cursors: readonly string[]
  onTurn: (cursors: readonly string[]) => void
}

export function RequestLog({ page, report, isReportDue, timeZone, chosen, onChoose, ...rest }: RequestLogProps) {
  const { requests, next_cursor, as_of } = page
  return (
    <section className="panel log-panel" aria-labelledby="log" aria-busy={rest.isBusy}>
      <h2 className="sr-only" id="log">
        {t`Request log`}
      </h2>
      {report !== undefined ? <Strip report={report} /> : isReportDue && <StripBones />}
      {requests.length === 0 ? (
        <NoRequests page={page} timeZone={timeZone} {...rest} />
      ) : (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Requests, table`}>
          <Table
            className="log"
            caption={t`Requests, newest first`}
            rows={requests}
            rowKey={({ id }) => id}
            isSelected={({ id }) => id === chosen}
            columns={columns({ timeZone, chosen, onChoose })}
          />
        </div>
      )}
      <LogFooter timeZone={timeZone} asOf={as_of} next={next_cursor} {...rest} />
    </section>
  )
}

type NoRequestsProps = Pick<RequestLogProps, 'page' | 'timeZone' | 'isFiltered' | 'cursors'>

function NoRequests({ page: { next_cursor, kept_from }, timeZone, isFiltered, cursors }: NoRequestsProps) {
  if (!isFiltered && cursors.length === 0) {
    return (
      <p className="message muted">
        <Trans>
          No requests in this period. Each call with one of your{' '}
          <Link className="link" to={paths.apiKeys}>
            API keys
          </Link>{' '}
          is listed here a few seconds later.
        </Trans>
      </p>
    )
  }
  return (
    <p className="message muted">
      {cursors.length > 0 || next_cursor !== null
        ? t`No request matches this filter on this page.`
        : t`No request matches this filter.`}{' '}
      {t`The log reaches back to ${formatDateTime(kept_from, timeZone)}.`}
    </p>
  )
}

type ColumnsOf = Pick<RequestLogProps, 'timeZone' | 'chosen' | 'onChoose'>

function columns({ timeZone, chosen, onChoose }: ColumnsOf) {
  return [
    {
      key: 'time',
      head: t`Time, ${timeZone}`,
      cell: (row: LoggedRequest) => {
        const { day, clock, fine } = requestTime(row.time, timeZone)
        return (
          <button
            type="button"
            className="row-button mono"
            aria-label={t`Explain ${row.status} at ${day} ${clock}`}
            aria-pressed={row.id === chosen}
            onClick={() => onChoose(row.id)}
          >
            <span className="faint">{day}</span> {clock}
            <span className="nanoseconds">{fine}</span>
          </button>
        )
      },
    },
    {
      key: 'status',
      head: t`Status`,
      cell: (row: LoggedRequest) => (
        <StateBadge tone={toneOf(row)}>
          <span className="mono">{row.status}</span>
        </StateBadge>
      ),
    },
    { key: 'route', head: t`Route`, cell: ({ route }: LoggedRequest) => <Route route={route} />, className: 'nowrap' },
    {
      key: 'took',
      head: t`Duration, ms`,
      className: 'took hide-m',
      cell: ({ latency_ms }: LoggedRequest) => (
        <span className="mono">
          <span>{formatMilliseconds(latency_ms)}</span>
          <i style={{ '--w': `${barPx(latency_ms)}px` } as CSSProperties} />
        </span>
      ),
    },
    {
      key: 'key',
      head: t`Key`,
      className: 'hide-m key-cell',
      cell: ({ key_id, key_name }: LoggedRequest) => key_name ?? (key_id === 'session' ? t`session` : t`deleted key`),
    },
  ]
}

const PREFIX = '/api/v1'

function Route({ route }: { route: string }) {
  const hasPrefix = route.startsWith(`${PREFIX}/`)
  return (
    <span className="mono">
      {hasPrefix && <span className="faint hide-m">{PREFIX}</span>}
      {hasPrefix ? route.slice(PREFIX.length) : route}
    </span>
  )
}

/** Logarithmic: 1 ms to 2 s. */
function barPx(latencyMs: number): number {
  return Math.round(4 + 12 * Math.min(3.3, Math.log10(1 + latencyMs)))
}

const TAPE_HEIGHT_PX = 56
const PLACEHOLDER_ROWS = 90
const NOTHING = '\u00A0'

function Strip({ report }: { report: UsageReport }) {
  const { from, end, isNow } = endsOf(report)
  return (
    <div className="log-strip">
      <Tape
        label={outcomeSentence(report)}
        slots={outcomeSlots(thinSeries(report.series))}
        now={isNow ? 'right' : 'none'}
        heightPx={TAPE_HEIGHT_PX}
      />
      <p className="tape-scale">
        <span className="plain">{from}</span>
        <span className="only-wide">
          <span className="key">{t`served`}</span> <span className="key key-throttled">{t`rejected by a limit`}</span>{' '}
          <span className="key key-client-error">{t`client error`}</span>{' '}
          <span className="key key-server-error">{t`server error`}</span>
        </span>
        <span>{end}</span>
      </p>
    </div>
  )
}

export function StripBones() {
  return (
    <div className="log-strip" aria-hidden="true">
      <Tape isOff label="" slots={placeholderSlots(PLACEHOLDER_ROWS)} heightPx={TAPE_HEIGHT_PX} />
      <p className="tape-scale">{NOTHING}</p>
    </div>
  )
}

type LogFooterProps = Pick<RequestLogProps, 'timeZone' | 'isBusy' | 'isStale' | 'cursors' | 'onTurn'> & {
  asOf: string
  next: string | null
}

function LogFooter({ timeZone, asOf, isStale, ...pages }: LogFooterProps) {
  return (
    <Paging {...pages}>
      {isStale ? (
        <StateBadge tone="warn"> {t`not updated: the API does not respond`}</StateBadge>
      ) : (
        <>
          {', '}
          <Trans>
            as of <span className="mono">{formatClock(asOf, timeZone)}</span>
          </Trans>
        </>
      )}
    </Paging>
  )
}
