import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { formatDuration } from '../../format/duration.ts'
import { formatBytes, formatCount, formatRate } from '../../format/number.ts'
import { Stat, Stats } from '../../ui/Stat.tsx'

const MINUTE_MS = 60_000

/** What live streams delivered in the period. A stream is counted each minute and when it ends. */
export function StreamUsage({ report: { streams, period } }: { report: UsageReport }) {
  return (
    <section className="panel streams" aria-labelledby="streams">
      <div className="panel-head">
        <h2 id="streams">{t`Live streams`}</h2>
        <span className="small muted">{t`counted every minute and at the end of each`}</span>
      </div>
      {streams === null ? (
        <p className="message muted">{t`Streams have no endpoint, status or outcome. Remove these filters to see their usage.`}</p>
      ) : streams.open_ms === 0 && streams.connections === 0 ? (
        <p className="message muted">{t`No live stream was open in this period.`}</p>
      ) : (
        <Figures streams={streams} minutes={(Date.parse(period.to) - Date.parse(period.from)) / MINUTE_MS} />
      )}
    </section>
  )
}

function Figures({ streams, minutes }: { streams: NonNullable<UsageReport['streams']>; minutes: number }) {
  const { connections, messages, bytes_in, bytes_out, open_ms } = streams
  const average = open_ms / MINUTE_MS / Math.max(1, minutes)
  return (
    <Stats>
      <Stat label={t`Connections`} value={formatCount(connections)} detail={t`opened in this period`} />
      <Stat
        label={t`Messages`}
        value={formatCount(messages)}
        detail={t`${formatRate(messages / Math.max(1, minutes))} per minute`}
      />
      <Stat label={t`Data delivered`} value={formatBytes(bytes_out)} detail={t`${formatBytes(bytes_in)} received`} />
      <Stat label={t`Time open`} value={formatDuration(open_ms)} detail={t`${formatRate(average)} open on average`} />
    </Stats>
  )
}
