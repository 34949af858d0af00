import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatBytes, formatCount } from '../../format/number.ts'
import { requestTime } from './request-time.ts'

/** All else that is kept of a request. */
export function RequestFacts({ request, timeZone }: { request: RequestDetail; timeZone: string }) {
  const { latency, method, route, status, code, key_id, key_name, rows_returned } = request
  const { day, clock, fine } = requestTime(request.time, timeZone)
  const facts: [name: string, value: string][] = [
    ['Time', `${day} ${clock}${fine} ${timeZone}`],
    ['Call', `${method} ${route}`],
    ['Answer', code === null ? String(status) : `${status} ${code}`],
    ['Key', key_name ?? (key_id === 'session' ? 'session' : 'deleted key')],
    ['Network', request.network],
    ['Took', tookOf(latency)],
    ['Bytes', `${formatBytes(request.bytes_in)} in, ${formatBytes(request.bytes_out)} out`],
    ['Rows', rows_returned === null ? 'none' : formatCount(rows_returned)],
    ['Plan then', request.tier],
    ['Gateway', request.gateway_id],
  ]
  return (
    <>
      <h3>Request</h3>
      <dl className="kv">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function tookOf({ total_ms, upstream_ms, gateway_ms }: RequestDetail['latency']): string {
  const total = `${formatMilliseconds(total_ms)} ms`
  if (upstream_ms === null) return `${total}, all in the gateway`
  return `${total}: service ${formatMilliseconds(upstream_ms)}, gateway ${formatMilliseconds(gateway_ms)}`
}
