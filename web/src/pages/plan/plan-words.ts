import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '../../language/i18n.ts'
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

/** Texts of the shipped tier documents. */
const SUPPORT: Record<string, MessageDescriptor> = {
  email: msg`email`,
  chat: msg`chat`,
  'Business hours': msg`Business hours`,
  'Extended hours': msg`Extended hours`,
}

/** A text that an operator has written is shown as it is. */
function supportWords(text: string): string {
  const known = SUPPORT[text]
  return known === undefined ? text : i18n._(known)
}

export function cellWords(cell: PlanCell): string {
  switch (cell.kind) {
    case 'number':
      return formatCount(cell.value)
    case 'texts':
      return cell.texts.map(supportWords).join(', ')
    case 'hours':
      return plural(cell.hours, { one: '# hour', other: '# hours' })
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
