import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { formatCount } from '../../format/number.ts'
import type { PlanCell, PlanRowId } from '../../public/pricing/plan-rows.ts'

/** The rows of the comparison in words. */
export const ROW_NAMES: Record<PlanRowId, MessageDescriptor> = {
  requestsPerMinute: msg`Requests per minute`,
  requestsPerHour: msg`Requests per hour`,
  requestsPerDay: msg`Requests per day`,
  requestsPerMonth: msg`Requests per month`,
  burstLimit: msg`Burst, per second`,
  concurrentRequests: msg`Concurrent requests`,
  streamConnections: msg`Stream connections`,
  streamMessagesPerSecond: msg`Stream messages per second`,
  apiAccess: msg`REST access`,
  realTimeData: msg`Live stream`,
  history: msg`History`,
  dataExport: msg`Data export`,
  webhooks: msg`Webhooks`,
  basicAnalytics: msg`Basic analytics`,
  advancedAnalytics: msg`Advanced analytics`,
  customReports: msg`Custom reports`,
  channels: msg`Channels`,
  responseTime: msg`Response within`,
  availability: msg`Availability`,
  trial: msg`Trial`,
}

export function cellWords(cell: PlanCell): string {
  switch (cell.kind) {
    case 'number':
      return formatCount(cell.value)
    case 'text':
      return cell.text
    case 'days':
      return plural(cell.days, { one: '# day', other: '# days' })
    case 'history':
      return cell.isComplete ? t`complete` : t`last 24 hours`
    case 'included':
      return t`included`
    case 'missing':
      return t`not included`
  }
}
