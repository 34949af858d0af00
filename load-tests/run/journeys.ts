import type { Group } from '../lib/accounts.ts'
import type { Profile } from '../lib/profiles.ts'
import type { Tier } from '../lib/thresholds.ts'

/** Accounts that a journey needs: so many of each tier, with the tier's own limits or with none that bind. */
export type GroupPlan = { tiers: Partial<Record<Tier, number>>; limits: 'of the tier' | 'none' | 'patient' }
export type JourneyPlan = {
  name: string
  says: string
  groups: Partial<Record<Group, GroupPlan>>
  /** Of a platform started for it. */
  gateways: number
  /** Hours of simulated history that a platform started for it begins with. */
  historyHours: (profile: Profile) => number
}

/** Enough for a page of trades, and there at once. */
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
    says: 'is my key good, and what is new? Keys of every tier, whose limits do not bind',
    groups: { readers: READERS },
  },
  {
    ...usual,
    name: 'page-30-days',
    says: 'ten pages of a thousand trades from anywhere in the last 30 days, in order and without a row twice',
    groups: { readers: { tiers: { basic: 1, pro: 1 }, limits: 'none' } },
    // A month takes minutes to make; to see that it works, two days of it will do.
    historyHours: (profile) => (profile === 'smoke' ? TWO_DAYS : THIRTY_DAYS),
  },
  {
    ...usual,
    name: 'limits',
    says: 'a crowd asks for more than each tier gives, at two gateways; patient clients wait as long as a 429 says',
    gateways: 2,
    groups: {
      crowd: { tiers: { free: 1, basic: 1, pro: 1 }, limits: 'of the tier' },
      // A visitor must be alone on an account: more of them than visits of some seconds at the highest rate.
      patient: { tiers: { free: 24 }, limits: 'patient' },
    },
  },
  {
    ...usual,
    name: 'sign-in',
    says: 'sign in, see who one is, refresh, sign out, and be refused from then on',
    groups: { people: { tiers: { free: 20 }, limits: 'none' } },
  },
  {
    ...usual,
    name: 'dashboard-during-load',
    says: 'keys read data while their owners look at the dashboard, whose numbers must be of now',
    groups: { owners: READERS },
  },
  {
    ...usual,
    name: 'sign-up-to-first-request',
    says: 'sign up, make a key, read data with it, and find the request in the dashboard',
    groups: {},
  },
]
