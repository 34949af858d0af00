import type { Group } from '../lib/accounts.ts'
import type { Profile } from '../lib/profiles.ts'
import type { Tier } from '../lib/thresholds.ts'

/** Accounts that a journey needs: how many of each tier, with the limits of the tier or with limits never reached. */
export type GroupPlan = { tiers: Partial<Record<Tier, number>>; limits: 'of the tier' | 'none' | 'patient' }
export type JourneyPlan = {
  name: string
  description: string
  groups: Partial<Record<Group, GroupPlan>>
  /** Number of gateways, if a platform is started for the journey. */
  gateways: number
  /** Hours of simulated history with which a platform started for the journey begins. */
  historyHours: (profile: Profile) => number
}

/** Enough for a page of trades, and generated at once. */
const AN_HOUR = 1
const TWO_DAYS = 48
const THIRTY_DAYS = 720
const READERS: GroupPlan = { tiers: { free: 1, basic: 1, pro: 1 }, limits: 'none' }
const usual = { gateways: 1, historyHours: () => AN_HOUR }

/** One file in journeys/ each. */
export const JOURNEYS: readonly JourneyPlan[] = [
  {
    ...usual,
    name: 'verify-and-read',
    description: 'keys of every tier read their limits and the latest trades; their limits are never reached',
    groups: { readers: READERS },
  },
  {
    ...usual,
    name: 'page-30-days',
    description:
      'ten pages of 1,000 trades from a random time in the last 30 days, or in the history of the platform if it is ' +
      'shorter; in order and without repetition',
    groups: { readers: { tiers: { basic: 1, pro: 1 }, limits: 'none' } },
    // A month takes minutes to generate; two days are enough to check that the journey works.
    historyHours: (profile) => (profile === 'smoke' ? TWO_DAYS : THIRTY_DAYS),
  },
  {
    ...usual,
    name: 'limits',
    description:
      'many clients exceed the limits of each tier at two gateways; others wait for the Retry-After of each 429',
    gateways: 2,
    groups: {
      crowd: { tiers: { free: 1, basic: 1, pro: 1 }, limits: 'of the tier' },
      // Each client needs an account of its own: more accounts than concurrent visits at the highest rate.
      patient: { tiers: { free: 24 }, limits: 'patient' },
    },
  },
  {
    ...usual,
    name: 'sign-in',
    description: 'sign in, read the account, refresh, sign out; tokens are rejected after that',
    groups: { people: { tiers: { free: 20 }, limits: 'none' } },
  },
  {
    ...usual,
    name: 'dashboard-during-load',
    description: 'keys read data while their owners use the dashboard, whose numbers must be current',
    groups: { owners: READERS },
  },
  {
    ...usual,
    name: 'sign-up-to-first-request',
    description: 'sign up, create a key, read data with it, and find the request in the dashboard',
    groups: {},
  },
  {
    ...usual,
    name: 'streams',
    description: 'clients follow trades over WebSockets; the streamed trades must be those of the list call',
    groups: { followers: READERS },
  },
]
