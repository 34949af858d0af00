import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { LoggedRequest, RequestPage } from '@tapeline/contracts/audit/requests'
import type { CSSProperties } from 'react'
import { formatClock, formatDateTime } from '../../format/date.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Table } from '../../ui/Table.tsx'
import { Tape } from '../../ui/Tape.tsx'
import { outcomeSlots } from '../metrics/outcome-slots.ts'
import { requestTime } from './request-time.ts'
import { toneOf } from './verdict.ts'

type RequestLogProps = {
  page: RequestPage
  report: UsageReport | undefined
  timeZone: string
  chosen: string | undefined
  onChoose: (id: string) => void
  isBusy: boolean
  isStale: boolean
  pageNumber: number
  onNewer: (() => void) | undefined
  onOlder: (() => void) | undefined
}

export function RequestLog({ page, report, timeZone, chosen, onChoose, ...rest }: RequestLogProps) {
  const { requests, kept_from, as_of } = page
  return (
    <section className="panel log-panel" aria-labelledby="log" aria-busy={rest.isBusy}>
      <h2 className="sr" id="log">
        Request log
      </h2>
      {report !== undefined && <Strip report={report} />}
      {requests.length === 0 ? (
        <p className="msg t2">
          No request fits this filter{rest.pageNumber > 1 || rest.onOlder !== undefined ? ' on this page' : ''}. The log
          reaches back to {formatDateTime(kept_from, timeZone)}.
        </p>
      ) : (
        <div className="scroll-x" tabIndex={0} role="region" aria-label="Requests, table">
          <Table
            className="log"
            caption="Requests, newest first"
            rows={requests}
            rowKey={({ id }) => id}
            isHere={({ id }) => id === chosen}
            columns={columns({ timeZone, chosen, onChoose })}
          />
        </div>
      )}
      <Foot timeZone={timeZone} asOf={as_of} {...rest} />
    </section>
  )
}

type ColumnsOf = Pick<RequestLogProps, 'timeZone' | 'chosen' | 'onChoose'>

function columns({ timeZone, chosen, onChoose }: ColumnsOf) {
  return [
    {
      key: 'time',
      head: `Time, ${timeZone}`,
      cell: (row: LoggedRequest) => {
        const { day, clock, fine } = requestTime(row.time, timeZone)
        return (
          <button
            type="button"
            className="row-button mono"
            aria-label={`Explain ${row.status} at ${day} ${clock}`}
            aria-pressed={row.id === chosen}
            onClick={() => onChoose(row.id)}
          >
            <span className="t3">{day}</span> {clock}
            <span className="ns">{fine}</span>
          </button>
        )
      },
    },
    {
      key: 'status',
      head: 'Status',
      cell: (row: LoggedRequest) => (
        <StateBadge tone={toneOf(row)}>
          <span className="mono">{row.status}</span>
        </StateBadge>
      ),
    },
    { key: 'route', head: 'Route', cell: ({ route }: LoggedRequest) => <Route route={route} />, className: 'nowrap' },
    {
      key: 'took',
      head: 'Took, ms',
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
      head: 'Key',
      className: 'hide-m key-cell',
      cell: ({ key_id, key_name }: LoggedRequest) => key_name ?? (key_id === 'session' ? 'session' : 'deleted key'),
    },
  ]
}

const PREFIX = '/api/v1'

function Route({ route }: { route: string }) {
  const hasPrefix = route.startsWith(`${PREFIX}/`)
  return (
    <span className="mono">
      {hasPrefix && <span className="t3 hide-m">{PREFIX}</span>}
      {hasPrefix ? route.slice(PREFIX.length) : route}
    </span>
  )
}

/** Logarithmic: 1 ms to 2 s. */
function barPx(latencyMs: number): number {
  return Math.round(4 + 12 * Math.min(3.3, Math.log10(1 + latencyMs)))
}

function Strip({ report }: { report: UsageReport }) {
  const { total, denied, failed, success, period } = report
  const words = `${formatCount(total)} requests: ${formatCount(success)} served, ${formatCount(denied)} throttled, ${formatCount(failed - denied)} failed`
  const range: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: period.tz }
  return (
    <div className="log-strip">
      <Tape label={`${words}, by ${period.bucket}.`} slots={outcomeSlots(report.series)} now="right" heightPx={56} />
      <p className="tape-scale">
        <span className="plain">{new Intl.DateTimeFormat('en-GB', range).format(new Date(period.from))}</span>
        <span className="only-wide">
          <span className="key">served</span> <span className="key key-t">throttled</span>{' '}
          <span className="key key-c">client error</span> <span className="key key-s">server error</span>
        </span>
        <span>now</span>
      </p>
    </div>
  )
}

type FootProps = Pick<RequestLogProps, 'timeZone' | 'isStale' | 'pageNumber' | 'onNewer' | 'onOlder'> & { asOf: string }

function Foot({ timeZone, asOf, isStale, pageNumber, onNewer, onOlder }: FootProps) {
  return (
    <div className="panel-foot row">
      <span>
        Page <span className="mono">{pageNumber}</span>
        {isStale ? (
          <StateBadge tone="warn"> not renewed: the API does not answer</StateBadge>
        ) : (
          <>
            , as of <span className="mono">{formatClock(asOf, timeZone)}</span>
          </>
        )}
      </span>
      <nav className="end row" aria-label="Pages">
        <Button size="small" isDisabled={onNewer === undefined} onClick={onNewer}>
          Newer
        </Button>
        <Button size="small" isDisabled={onOlder === undefined} onClick={onOlder}>
          Older
        </Button>
      </nav>
    </div>
  )
}
