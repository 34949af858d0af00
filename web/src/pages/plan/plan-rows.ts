import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Feature, RateLimits, TierDocument } from '@tapeline/contracts/config/tiers'
import { formatCount } from '../../format/number.ts'

/** A cell is a number, words, or whether it is included. */
export type PlanCell = { kind: 'number' | 'words' | 'missing'; text: string } | { kind: 'included'; isSoon: boolean }

export type PlanRow = { label: MessageDescriptor; cell: (plan: TierDocument) => PlanCell }
export type PlanGroup = { label: MessageDescriptor; rows: readonly PlanRow[] }

/** Part of a plan and not built yet: they are announced, not promised for today. */
const SOON: readonly Feature[] = ['webhooks', 'customReports']

export const PLAN_GROUPS: readonly PlanGroup[] = [
  {
    label: msg`Rate limits`,
    rows: [
      limitRow(msg`Requests per minute`, 'requestsPerMinute'),
      limitRow(msg`Requests per hour`, 'requestsPerHour'),
      limitRow(msg`Requests per day`, 'requestsPerDay'),
      limitRow(msg`Requests per month`, 'requestsPerMonth'),
      limitRow(msg`Burst, per second`, 'burstLimit'),
      limitRow(msg`Concurrent requests`, 'concurrentRequests'),
    ],
  },
  {
    label: msg`Data`,
    rows: [
      featureRow(msg`REST access`, 'apiAccess'),
      { label: msg`Live stream`, cell: ({ features }) => (features.realTimeData ? included(true) : missing()) },
      {
        label: msg`History`,
        cell: ({ features }) => ({ kind: 'words', text: features.historicalData ? t`complete` : t`last 24 hours` }),
      },
      featureRow(msg`Data export`, 'dataExport'),
      featureRow(msg`Webhooks`, 'webhooks'),
    ],
  },
  {
    label: msg`Insight`,
    rows: [
      featureRow(msg`Basic analytics`, 'basicAnalytics'),
      featureRow(msg`Advanced analytics`, 'advancedAnalytics'),
      featureRow(msg`Custom reports`, 'customReports'),
    ],
  },
  {
    label: msg`Support`,
    rows: [
      { label: msg`Channels`, cell: ({ support }) => words(support.channels.join(', ')) },
      { label: msg`Response within`, cell: ({ support }) => words(support.responseTime) },
      { label: msg`Availability`, cell: ({ support }) => words(support.availability) },
      {
        label: msg`Trial`,
        cell: ({ billing }) =>
          billing.trialPeriod > 0
            ? words(plural(billing.trialPeriod, { one: '# day', other: '# days' }))
            : { kind: 'missing', text: t`none` },
      },
    ],
  },
]

const missing = (): PlanCell => ({ kind: 'missing', text: t`not included` })

function words(text: string): PlanCell {
  return { kind: 'words', text }
}

function included(isToCome: boolean): PlanCell {
  return { kind: 'included', isSoon: isToCome }
}

function limitRow(label: MessageDescriptor, limit: keyof RateLimits): PlanRow {
  return { label, cell: ({ rateLimits }) => ({ kind: 'number', text: formatCount(rateLimits[limit]) }) }
}

function featureRow(label: MessageDescriptor, feature: Feature): PlanRow {
  return { label, cell: ({ features }) => (features[feature] ? included(SOON.includes(feature)) : missing()) }
}
