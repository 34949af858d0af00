import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { TierDocument, TierFeatures } from '@tapeline/contracts/config/tiers'
import { LIMIT_FIELDS } from '../limit-fields.ts'

/** `words?` and `number?` may be absent; `lines` is a list with an entry a line. */
export type FieldKind = 'number' | 'number?' | 'words' | 'words?' | 'lines' | 'flag'

/** A field of a tier's document: where it is below the tier, and how it is typed. */
export type TierField = {
  at: string
  label: MessageDescriptor
  kind: FieldKind
  hint?: MessageDescriptor
  /** A sentence or a list: the whole row. */
  isWide?: true
}
export type TierSection = { title: MessageDescriptor; fields: readonly TierField[] }

const FEATURE_NAMES: Record<keyof TierFeatures, MessageDescriptor> = {
  apiAccess: msg`REST access`,
  realTimeData: msg`Live stream`,
  historicalData: msg`History`,
  basicAnalytics: msg`Basic analytics`,
  advancedAnalytics: msg`Advanced analytics`,
  customReports: msg`Custom reports`,
  dataExport: msg`Data export`,
  webhooks: msg`Webhooks`,
  apiKeyManagement: msg`API key management`,
  emailSupport: msg`Email support`,
  prioritySupport: msg`Priority support`,
  dedicatedSupport: msg`Dedicated support`,
}

/** The whole form of a tier, from top to bottom. */
export const TIER_SECTIONS: readonly TierSection[] = [
  {
    title: msg`Limits`,
    fields: [
      ...LIMIT_FIELDS.map(({ field, label }) => ({ at: `/rateLimits/${field}`, label, kind: 'number' as const })),
      { at: '/rateLimits/streamConnections', label: msg`Stream connections`, kind: 'number' },
      { at: '/rateLimits/streamMessagesPerSecond', label: msg`Stream messages per second`, kind: 'number' },
    ],
  },
  {
    title: msg`Prices`,
    fields: [
      { at: '/billing/monthlyPrice', label: msg`Price per month`, kind: 'number', hint: msg`0 is shown as Custom` },
      { at: '/billing/yearlyPrice', label: msg`Price per year`, kind: 'number' },
      { at: '/billing/yearlyDiscount', label: msg`Yearly discount, percent`, kind: 'number?' },
      { at: '/billing/currency', label: msg`Currency`, kind: 'words', hint: msg`The same for every tier` },
      { at: '/billing/trialPeriod', label: msg`Trial, days`, kind: 'number', hint: msg`0: no trial` },
    ],
  },
  {
    title: msg`Features`,
    fields: Object.entries(FEATURE_NAMES).map(([name, label]) => ({ at: `/features/${name}`, label, kind: 'flag' })),
  },
  {
    title: msg`Display`,
    fields: [
      { at: '/display/name', label: msg`Name`, kind: 'words' },
      { at: '/display/badge', label: msg`Badge`, kind: 'words?' },
      { at: '/display/color', label: msg`Color`, kind: 'words' },
      { at: '/display/description', label: msg`Description`, kind: 'words', isWide: true },
      { at: '/display/popular', label: msg`Mark as popular`, kind: 'flag' },
      {
        at: '/display/features',
        label: msg`Listed features`,
        kind: 'lines',
        isWide: true,
        hint: msg`One per line; the first 5 are shown`,
      },
    ],
  },
  {
    title: msg`Support`,
    fields: [
      { at: '/support/channels', label: msg`Channels`, kind: 'lines', isWide: true, hint: msg`One per line` },
      { at: '/support/responseTime', label: msg`Response within`, kind: 'words' },
      { at: '/support/availability', label: msg`Availability`, kind: 'words' },
    ],
  },
]

/** Settings common to all tiers. */
export const SHARED_SECTIONS: readonly TierSection[] = [
  {
    title: msg`Trials`,
    fields: [
      {
        at: '/defaultTrialPeriod',
        label: msg`Default trial, days`,
        kind: 'number',
        hint: msg`For tiers without a trial period of their own`,
      },
    ],
  },
]

/** Summary of a tier in one line, for the list. */
export function tierInWords({ rateLimits, billing }: TierDocument): string {
  const price = billing.monthlyPrice === 0 ? t`Custom` : t`${billing.monthlyPrice} ${billing.currency} a month`
  return t`${price}, ${rateLimits.requestsPerMinute} a minute`
}
