import { t } from '@lingui/core/macro'

/** Texts filled in by the island (islands/parts/words.ts). */
export function pricingWords() {
  return {
    loading: t`Loading plans`,
    failed: t`Failed to load pricing information. Please try again later.`,
    request: t`request %id%`,
    custom: t`Custom`,
    perMonth: t`per month`,
    perYear: t`per year`,
    instead: t`%price% a month, instead of %monthly%`,
    discount: t`(%percent%% discount)`,
    saves: t`Yearly saves %percent%%`,
    trial: t`%count%-day free trial`,
    noTrial: t`no trial needed`,
    more: t`+%count% more features`,
    included: t`included`,
    missing: t`not included`,
    complete: t`complete`,
    lastDay: t`last 24 hours`,
    days: t`%count% days`,
    hours: t`%count% hour`.concat(' | ', t`%count% hours`),
    prices: t`Prices in %currency%, without tax.`,
    endsAtMinute: t`Limited to %count% requests a minute`,
    endsAtMonth: t`Limited to %count% requests a month`,
    fits: t`Fits your load`,
    room: t`Fits, with %times% times the capacity you need`,
    fitsName: t`%plan% fits.`,
    spare: t`At peak load, %minute% requests a minute and %month% a month remain unused.`,
    noneFits: t`No plan fits.`,
    ownLimits: t`The operator can set custom limits for an account.`,
    aMinute: t`%count% request a minute`.concat(' | ', t`%count% requests a minute`),
    aMonth: t`%count% request a month`.concat(' | ', t`%count% requests a month`),
  }
}

export type PricingWord = keyof ReturnType<typeof pricingWords>
