/** Shapes of a load over time. Factors are relative to the journey's base rate. */
export const PROFILES = ['smoke', 'average', 'stress', 'spike', 'soak', 'breakpoint'] as const
export type Profile = (typeof PROFILES)[number]

/** A linear change from the previous step's factor to this one. */
type Step = { seconds: number; factor: number }
type Plan = { description: string; from: number; steps: readonly Step[] }

export const PLANS: Readonly<Record<Profile, Plan>> = {
  smoke: {
    description: 'a tenth of the base rate for 30 seconds, to check that the journey works',
    from: 0.1,
    steps: [{ seconds: 30, factor: 0.1 }],
  },
  average: { description: 'the base rate for three minutes', from: 1, steps: [{ seconds: 180, factor: 1 }] },
  stress: {
    description: '1.5 times, then twice the base rate',
    from: 1,
    steps: [
      { seconds: 20, factor: 1.5 },
      { seconds: 60, factor: 1.5 },
      { seconds: 20, factor: 2 },
      { seconds: 60, factor: 2 },
      { seconds: 20, factor: 1 },
    ],
  },
  spike: {
    description: 'ten times the base rate within ten seconds, for 30 seconds, and back',
    from: 1,
    steps: [
      { seconds: 30, factor: 1 },
      { seconds: 10, factor: 10 },
      { seconds: 30, factor: 10 },
      { seconds: 10, factor: 1 },
      { seconds: 40, factor: 1 },
    ],
  },
  soak: { description: '60 % of the base rate for ten minutes', from: 0.6, steps: [{ seconds: 600, factor: 0.6 }] },
  breakpoint: {
    description: 'up to twenty times the base rate in ten minutes, until a check fails',
    from: 1,
    steps: [{ seconds: 600, factor: 20 }],
  },
}

/** Rates are integers per this unit, which permits rates below one per second. */
const TIME_UNIT_SECONDS = 10
const PER_SECOND_MIN = 0.5
/** Enough for a low rate on a busy machine, and no more than one generator supports. */
const CLIENTS_MIN = 20
const CLIENTS_MAX = 2_000

export type Pace = {
  /** Requests of the profile `average`. */
  perSecond: number
  /** The longest expected iteration, which determines how many clients are created before the load starts. */
  iterationSeconds: number
}
export type Length = { /** Duration of the whole load; steps are scaled in proportion. */ seconds?: number | undefined }

/** An arrival-rate executor of k6: iterations start on schedule, regardless of responses. */
export type ArrivalRate = {
  executor: 'ramping-arrival-rate'
  startRate: number
  timeUnit: string
  stages: { duration: string; target: number }[]
  preAllocatedVUs: number
  maxVUs: number
  gracefulStop: string
}

export function secondsOf(profile: Profile, { seconds }: Length = {}): number {
  return seconds ?? PLANS[profile].steps.reduce((sum, step) => sum + step.seconds, 0)
}

export function arrivalRate(profile: Profile, { perSecond, iterationSeconds }: Pace, length: Length = {}): ArrivalRate {
  const { from, steps } = PLANS[profile]
  const stretch = secondsOf(profile, length) / secondsOf(profile)
  const rateOf = (factor: number) => Math.round(Math.max(PER_SECOND_MIN, factor * perSecond) * TIME_UNIT_SECONDS)
  const highest = Math.max(from, ...steps.map(({ factor }) => factor))
  const clients = Math.max(CLIENTS_MIN, Math.ceil((rateOf(highest) / TIME_UNIT_SECONDS) * iterationSeconds))
  return {
    executor: 'ramping-arrival-rate',
    startRate: rateOf(from),
    timeUnit: `${TIME_UNIT_SECONDS}s`,
    stages: steps.map(({ seconds, factor }) => ({
      duration: `${Math.max(1, Math.round(seconds * stretch))}s`,
      target: rateOf(factor),
    })),
    preAllocatedVUs: Math.min(clients, CLIENTS_MAX),
    maxVUs: Math.min(clients * 2, CLIENTS_MAX),
    gracefulStop: `${Math.ceil(iterationSeconds) + GRACE_SECONDS}s`,
  }
}

const GRACE_SECONDS = 20

/** The profile with this name, if there is one. */
export function profileNamed(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile === name)
}
