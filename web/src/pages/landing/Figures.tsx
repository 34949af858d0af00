import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../../api/status.queries.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatPlural } from '../../format/number.ts'
import { Stat, Stats } from '../../ui/Stat.tsx'
import { median } from './median.ts'
import { uptimeOf } from './uptime.ts'

/** Each claim with its measurement beside it; where none runs, that is what it says. */
export function Figures({ durationsMs }: { durationsMs: readonly number[] }) {
  const typicalMs = median(durationsMs)
  const uptime = uptimeOf(useQuery(statusQuery).data)
  return (
    <section className="site figs" aria-label="Measured figures">
      <Stats>
        {typicalMs === undefined ? (
          <Stat label="Under 100 ms response" value="not measured" isWords detail="no answer yet in this browser" />
        ) : (
          <Stat
            label="Under 100 ms response"
            value={formatMilliseconds(typicalMs)}
            unit="ms median"
            detail={`${formatPlural(durationsMs.length, 'call', 'calls')} from this browser, live`}
          />
        )}
        <Stat label="99.9% uptime" value={uptime.text} isWords={!uptime.isMeasured} detail={uptime.detail} />
        <Stat label="1B+ data points" value="not measured" isWords detail="no public count yet" />
        <Stat label="100K+ requests per second" value="not measured" isWords detail="no load test published yet" />
      </Stats>
    </section>
  )
}
