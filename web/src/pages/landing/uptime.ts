import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { formatPercent, formatPlural } from '../../format/number.ts'

export type Uptime = { isMeasured: boolean; text: string; detail: string }

/** What the status page's data say; without any it is said that there are none. */
export function uptimeOf(status: PlatformStatus | undefined): Uptime {
  const availability = status?.availability ?? null
  if (status === undefined || availability === null) {
    return { isMeasured: false, text: 'not measured', detail: 'nothing has been counted yet' }
  }
  const days = status.components.flatMap((component) => component.days).filter((day) => day.availability !== null)
  const counted = days.reduce((sum, { requests, probes }) => sum + requests + probes, 0)
  const measuredDays = new Set(days.map(({ day }) => day)).size
  return {
    isMeasured: true,
    text: formatPercent(availability),
    detail: `${formatPlural(counted, 'request or probe', 'requests and probes')} in ${formatPlural(measuredDays, 'day', 'days')}`,
  }
}
