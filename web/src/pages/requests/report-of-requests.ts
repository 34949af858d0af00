import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import type { LoggedRequest } from '@tapeline/contracts/audit/requests'

type Counted = Pick<LoggedRequest, 'time' | 'outcome'>
type Counts = Pick<UsagePoint, 'total' | 'success' | 'denied' | 'failed' | 'client_errors' | 'server_errors'>

/** The same period and buckets, with the counts of these requests alone. */
export function reportOfRequests<R extends Pick<UsageReport, 'series'>>(report: R, requests: readonly Counted[]) {
  const series = report.series.map((point) => {
    const [fromMs, toMs] = [Date.parse(point.from), Date.parse(point.to)]
    const inside = requests.filter(({ time }) => fromMs <= Date.parse(time) && Date.parse(time) < toMs)
    return { ...point, ...countsOf(inside) }
  })
  return { ...report, ...countsOf(requests), series }
}

function countsOf(requests: readonly Counted[]): Counts {
  const count = (outcome: LoggedRequest['outcome']) => requests.filter((one) => one.outcome === outcome).length
  const [total, success, denied] = [requests.length, count('ok'), count('denied')]
  // As the reports count: a client that disconnected is neither a client nor a server error.
  return {
    total,
    success,
    denied,
    failed: total - success,
    client_errors: count('client_error'),
    server_errors: count('server_error'),
  }
}
