import { t } from '@lingui/core/macro'
import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatBytes, formatCount } from '../../format/number.ts'
import { requestTime } from './request-time.ts'

/** All other stored facts of a request. */
export function RequestFacts({ request, timeZone }: { request: RequestDetail; timeZone: string }) {
  const { latency, method, route, status, code, key_id, key_name, rows_returned } = request
  const { day, clock, fine } = requestTime(request.time, timeZone)
  const facts: [name: string, value: string][] = [
    [t`Time`, `${day} ${clock}${fine} ${timeZone}`],
    [t`Call`, `${method} ${route}`],
    [t`Response`, code === null ? String(status) : `${status} ${code}`],
    [t`Key`, key_name ?? (key_id === 'session' ? t`session` : t`deleted key`)],
    [t`Network`, request.network],
    [t`Duration`, tookOf(latency)],
    [t`Bytes`, t`${formatBytes(request.bytes_in)} in, ${formatBytes(request.bytes_out)} out`],
    [t`Rows`, rows_returned === null ? t`none` : formatCount(rows_returned)],
    [t`Plan when requested`, request.tier],
    [t`Gateway`, request.gateway_id],
  ]
  return (
    <>
      <h3>{t`Request`}</h3>
      <dl className="key-values">
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
  if (upstream_ms === null) return t`${total}, all in the gateway`
  return t`${total}: service ${formatMilliseconds(upstream_ms)}, gateway ${formatMilliseconds(gateway_ms)}`
}
