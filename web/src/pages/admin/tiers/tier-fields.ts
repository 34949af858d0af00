import type { TierDocument, TierFeatures } from '@tapeline/contracts/config/tiers'
import { LIMIT_FIELDS } from '../limit-fields.ts'

/** `words?` and `number?` may be absent; `lines` is a list with an entry a line. */
export type FieldKind = 'number' | 'number?' | 'words' | 'words?' | 'lines' | 'flag'

/** A field of a tier's document: where it is below the tier, and how it is typed. */
export type TierField = { at: string; label: string; kind: FieldKind; hint?: string }
export type TierSection = { title: string; fields: readonly TierField[] }

const FEATURE_NAMES: Record<keyof TierFeatures, string> = {
  apiAccess: 'REST access',
  realTimeData: 'Live stream',
  historicalData: 'History',
  basicAnalytics: 'Basic analytics',
  advancedAnalytics: 'Advanced analytics',
  customReports: 'Custom reports',
  dataExport: 'Data export',
  webhooks: 'Webhooks',
  apiKeyManagement: 'API key management',
  emailSupport: 'E-mail support',
  prioritySupport: 'Priority support',
  dedicatedSupport: 'Dedicated support',
}

/** The whole form of a tier, from top to bottom. */
export const TIER_SECTIONS: readonly TierSection[] = [
  {
    title: 'Limits',
    fields: LIMIT_FIELDS.map(({ field, label }) => ({ at: `/rateLimits/${field}`, label, kind: 'number' })),
  },
  {
    title: 'Prices',
    fields: [
      { at: '/billing/monthlyPrice', label: 'Price per month', kind: 'number', hint: '0 is shown as Custom' },
      { at: '/billing/yearlyPrice', label: 'Price per year', kind: 'number' },
      { at: '/billing/yearlyDiscount', label: 'Saved by a year, percent', kind: 'number?' },
      { at: '/billing/currency', label: 'Currency', kind: 'words', hint: 'The same for every tier' },
      { at: '/billing/trialPeriod', label: 'Trial, days', kind: 'number', hint: '0: no trial' },
    ],
  },
  {
    title: 'Features',
    fields: Object.entries(FEATURE_NAMES).map(([name, label]) => ({ at: `/features/${name}`, label, kind: 'flag' })),
  },
  {
    title: 'Display',
    fields: [
      { at: '/display/name', label: 'Name', kind: 'words' },
      { at: '/display/badge', label: 'Badge', kind: 'words?' },
      { at: '/display/color', label: 'Colour', kind: 'words' },
      { at: '/display/popular', label: 'Marked as popular', kind: 'flag' },
      { at: '/display/description', label: 'Description', kind: 'words' },
      {
        at: '/display/features',
        label: 'What the card lists',
        kind: 'lines',
        hint: 'One a line; the first 5 are shown',
      },
    ],
  },
  {
    title: 'Support',
    fields: [
      { at: '/support/channels', label: 'Channels', kind: 'lines', hint: 'One a line' },
      { at: '/support/responseTime', label: 'Response within', kind: 'words' },
      { at: '/support/availability', label: 'Availability', kind: 'words' },
    ],
  },
]

/** What is said once for all tiers. */
export const SHARED_SECTIONS: readonly TierSection[] = [
  {
    title: 'Trials',
    fields: [
      {
        at: '/defaultTrialPeriod',
        label: 'Default trial, days',
        kind: 'number',
        hint: 'Of a tier that says nothing of its own',
      },
    ],
  },
]

/** In one line, for the list. */
export function tierInWords({ rateLimits, billing }: TierDocument): string {
  const price = billing.monthlyPrice === 0 ? 'Custom' : `${billing.monthlyPrice} ${billing.currency} a month`
  return `${price}, ${rateLimits.requestsPerMinute} a minute`
}
