import { plural, t } from '@lingui/core/macro'
import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../../format/duration.ts'
import { formatCount } from '../../../format/number.ts'
import { Link } from '../../../router.ts'
import { bucketName } from './bucket-time.ts'

type ChartReadoutProps = { point: UsagePoint | undefined; isPartial: boolean; tz: string; requests: string | undefined }

/** The chosen bucket in words, and the way to its requests. */
export function ChartReadout({ point, isPartial, tz, requests }: ChartReadoutProps) {
  if (point === undefined) {
    return (
      <div className="readout">
        <p role="status" className="faint">
          {t`Point at a bucket, or use the arrow keys, to see its values.`}
        </p>
      </div>
    )
  }
  const { success, failed, denied, latency_ms } = point
  return (
    <div className="readout">
      <p role="status">
        <b className="medium">{bucketName(point, tz)}</b>
        {isPartial && <span className="faint">{t`incomplete bucket`}</span>}
        <span>
          <span className="mono">{formatCount(success)}</span> {plural(success, { one: 'served', other: 'served' })}
        </span>
        <span>
          <span className="mono">{formatCount(failed)}</span> {plural(failed, { one: 'failed', other: 'failed' })}
          {denied > 0 && ` (${plural(denied, { one: '# rejected by a limit', other: '# rejected by a limit' })})`}
        </span>
        {latency_ms !== null &&
          (['p50', 'p95', 'p99'] as const).map((line) => (
            <span key={line}>
              {line} <span className="mono">{formatMilliseconds(latency_ms[line])} ms</span>
            </span>
          ))}
      </p>
      {requests !== undefined && point.total > 0 && (
        <Link className="link end" to={requests}>
          {plural(point.total, { one: 'Open # request', other: 'Open # requests' })}
        </Link>
      )}
    </div>
  )
}
