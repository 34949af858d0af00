import type { Feature, RateLimits, TierDocument } from '@tapeline/contracts/config/tiers'
import { formatCount } from '../../format/number.ts'

/** A cell is a number, words, or whether it is included. */
export type PlanCell = { kind: 'number' | 'words' | 'missing'; text: string } | { kind: 'included'; isSoon: boolean }

export type PlanRow = { label: string; cell: (plan: TierDocument) => PlanCell }
export type PlanGroup = { label: string; rows: readonly PlanRow[] }

/** Part of a plan and not built yet: they are announced, not promised for today. */
const SOON: readonly Feature[] = ['webhooks', 'customReports']

export const PLAN_GROUPS: readonly PlanGroup[] = [
  {
    label: 'Rate limits',
    rows: [
      limitRow('Requests per minute', 'requestsPerMinute'),
      limitRow('Requests per hour', 'requestsPerHour'),
      limitRow('Requests per day', 'requestsPerDay'),
      limitRow('Requests per month', 'requestsPerMonth'),
      limitRow('Burst, per second', 'burstLimit'),
      limitRow('Concurrent requests', 'concurrentRequests'),
    ],
  },
  {
    label: 'Data',
    rows: [
      featureRow('REST access', 'apiAccess'),
      { label: 'Live stream', cell: ({ features }) => (features.realTimeData ? included(true) : MISSING) },
      {
        label: 'History',
        cell: ({ features }) => ({ kind: 'words', text: features.historicalData ? 'complete' : 'last 24 hours' }),
      },
      featureRow('Data export', 'dataExport'),
      featureRow('Webhooks', 'webhooks'),
    ],
  },
  {
    label: 'Insight',
    rows: [
      featureRow('Basic analytics', 'basicAnalytics'),
      featureRow('Advanced analytics', 'advancedAnalytics'),
      featureRow('Custom reports', 'customReports'),
    ],
  },
  {
    label: 'Support',
    rows: [
      { label: 'Channels', cell: ({ support }) => words(support.channels.join(' and ')) },
      { label: 'Response within', cell: ({ support }) => words(support.responseTime) },
      { label: 'Availability', cell: ({ support }) => words(support.availability) },
      {
        label: 'Trial',
        cell: ({ billing }) =>
          billing.trialPeriod > 0 ? words(`${billing.trialPeriod} days`) : { kind: 'missing', text: 'none' },
      },
    ],
  },
]

const MISSING: PlanCell = { kind: 'missing', text: 'not included' }

function words(text: string): PlanCell {
  return { kind: 'words', text }
}

function included(isToCome: boolean): PlanCell {
  return { kind: 'included', isSoon: isToCome }
}

function limitRow(label: string, limit: keyof RateLimits): PlanRow {
  return { label, cell: ({ rateLimits }) => ({ kind: 'number', text: formatCount(rateLimits[limit]) }) }
}

function featureRow(label: string, feature: Feature): PlanRow {
  return { label, cell: ({ features }) => (features[feature] ? included(SOON.includes(feature)) : MISSING) }
}
