import { t } from '@lingui/core/macro'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { pageLanguage } from '../page-language.ts'
import { PLANS } from './plans.ts'

/** The texts of the shipped tier documents, in the language of the page. */
function shippedTexts(): Record<string, string> {
  return {
    'Read the last 24 hours and try every call.': t`Read the last 24 hours and try every call.`,
    'Trades and level-2 order book over REST': t`Trades and level-2 order book over REST`,
    'The last 24 hours of data': t`The last 24 hours of data`,
    'API keys with instant revocation': t`API keys with instant revocation`,
    'Your own request counts, live': t`Your own request counts, live`,
    'Email support': t`Email support`,
    'Live stream, one connection': t`Live stream, one connection`,
    'Full history and analytics for one strategy.': t`Full history and analytics for one strategy.`,
    'Everything in Free': t`Everything in Free`,
    'Full history of trades and order book': t`Full history of trades and order book`,
    'Live stream, five connections': t`Live stream, five connections`,
    'Latency percentiles and breakdowns': t`Latency percentiles and breakdowns`,
    'Data export': t`Data export`,
    'Email support within 24 hours': t`Email support within 24 hours`,
    Webhooks: t`Webhooks`,
    'Most Popular': t`Most Popular`,
    'Ten times the monthly requests, deeper analytics and faster support.': t`Ten times the monthly requests, deeper analytics and faster support.`,
    'Everything in Basic': t`Everything in Basic`,
    'Analytics over any range, by hour and network': t`Analytics over any range, by hour and network`,
    'Live stream, twenty connections': t`Live stream, twenty connections`,
    'Priority support': t`Priority support`,
    'Email and chat, answered within 4 hours': t`Email and chat, answered within 4 hours`,
    'Custom reports': t`Custom reports`,
    'Best Value': t`Best Value`,
    'Business hours': t`Business hours`,
    'Extended hours': t`Extended hours`,
    email: t`email`,
    chat: t`chat`,
  }
}

/** A text that an operator has written is returned as it is. */
export function shippedText(text: string): string {
  return shippedTexts()[text] ?? text
}

/** For an island (islands/parts/words.ts), which shows the texts of the platform's own plans. English needs none. */
export function shippedWords(textsOf: (plan: TierDocument) => readonly (string | null)[]): Record<string, string> {
  if (pageLanguage() === 'en') return {}
  const texts = PLANS.flatMap((tier) => textsOf(tierDocuments[tier])).filter((text) => text !== null)
  return Object.fromEntries(texts.map((text) => [`text:${text}`, shippedText(text)]))
}

/** The texts of a plan that the pricing page shows. */
export function shownTexts({ display, support }: TierDocument): (string | null)[] {
  return [display.description, display.badge, ...display.features, ...support.channels, support.availability]
}
