import type { Feature, TierDocument, TierLimits } from '@tapeline/contracts/config/tiers'

/** A plan's value in a row: a number, texts of its document, or whether a feature is included. */
export type PlanCell =
  | { kind: 'number'; value: number }
  | { kind: 'texts'; texts: readonly string[] }
  | { kind: 'hours'; hours: number }
  | { kind: 'days'; days: number }
  | { kind: 'history'; isComplete: boolean }
  | { kind: 'included' | 'missing' }

type ShownFeature = Exclude<Feature, 'historicalData' | 'apiKeyManagement' | `${string}Support`>
type SupportRow = 'channels' | 'responseTime' | 'availability' | 'trial'
export type PlanRowId = keyof TierLimits | ShownFeature | 'history' | SupportRow
export type PlanRow = { id: PlanRowId; cell: (plan: TierDocument) => PlanCell }
export type PlanGroup = { id: string; rows: readonly PlanRow[] }

export const PLAN_GROUPS: readonly PlanGroup[] = [
  {
    id: 'limits',
    rows: [
      limit('requestsPerMinute'),
      limit('requestsPerHour'),
      limit('requestsPerDay'),
      limit('requestsPerMonth'),
      limit('burstLimit'),
      limit('concurrentRequests'),
      limit('streamConnections'),
      limit('streamMessagesPerSecond'),
    ],
  },
  {
    id: 'data',
    rows: [
      feature('apiAccess'),
      feature('realTimeData'),
      { id: 'history', cell: ({ features }) => ({ kind: 'history', isComplete: features.historicalData }) },
      feature('dataExport'),
      feature('webhooks'),
    ],
  },
  { id: 'insight', rows: [feature('basicAnalytics'), feature('advancedAnalytics'), feature('customReports')] },
  {
    id: 'support',
    rows: [
      { id: 'channels', cell: ({ support }) => ({ kind: 'texts', texts: support.channels }) },
      { id: 'responseTime', cell: ({ support }) => responseCell(support.responseTime) },
      { id: 'availability', cell: ({ support }) => ({ kind: 'texts', texts: [support.availability] }) },
      {
        id: 'trial',
        cell: ({ billing: { trialPeriod } }) =>
          trialPeriod > 0 ? { kind: 'days', days: trialPeriod } : { kind: 'missing' },
      },
    ],
  },
]

function limit(id: keyof TierLimits): PlanRow {
  return { id, cell: ({ rateLimits }) => numberCell(rateLimits[id]) }
}

function numberCell(value: number | undefined): PlanCell {
  return value === undefined ? { kind: 'missing' } : { kind: 'number', value }
}

/** Hours are shown in the reader's language; an operator may also have written another text. */
function responseCell(text: string): PlanCell {
  const hours = /^(\d{1,4}) hours?$/.exec(text)?.[1]
  return hours === undefined ? { kind: 'texts', texts: [text] } : { kind: 'hours', hours: Number(hours) }
}

function feature(id: ShownFeature): PlanRow {
  return {
    id,
    cell: ({ features }) => ({ kind: features[id] ? 'included' : 'missing' }),
  }
}
