/** How a load is laid out over time. Factors are of the journey's average rate. */
export const PROFILES = ['smoke', 'average', 'stress', 'spike', 'soak', 'breakpoint'] as const
export type Profile = (typeof PROFILES)[number]

/** From the step before to `factor` in a straight line, in so many seconds. */
type Step = { seconds: number; factor: number }
type Plan = { says: string; from: number; steps: readonly Step[] }

export const PLANS: Readonly<Record<Profile, Plan>> = {
  smoke: { says: 'a trickle for half a minute: does it work?', from: 0.1, steps: [{ seconds: 30, factor: 0.1 }] },
  average: { says: 'the everyday rate for three minutes', from: 1, steps: [{ seconds: 180, factor: 1 }] },
  stress: {
    says: 'one and a half times, then twice the everyday rate',
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
    says: 'ten times the everyday rate within ten seconds, for half a minute, and back',
    from: 1,
    steps: [
      { seconds: 30, factor: 1 },
      { seconds: 10, factor: 10 },
      { seconds: 30, factor: 10 },
      { seconds: 10, factor: 1 },
      { seconds: 40, factor: 1 },
    ],
  },
  soak: { says: 'six tenths of the everyday rate for ten minutes', from: 0.6, steps: [{ seconds: 600, factor: 0.6 }] },
  breakpoint: {
    says: 'up to twenty times the everyday rate in ten minutes, until a threshold breaks',
    from: 1,
    steps: [{ seconds: 600, factor: 20 }],
  },
}

/** Rates are whole numbers of this unit, so that there can be less than one a second. */
const TIME_UNIT_SECONDS = 10
const PER_SECOND_MIN = 0.5
/** Enough for a trickle while the machine is held up, and not more than one generator can be. */
const CLIENTS_MIN = 20
const CLIENTS_MAX = 2_000

export type Pace = {
  /** Requests of the profile `average`. */
  perSecond: number
  /** How long one iteration may take on a bad day: so many clients are made before the load begins. */
  iterationSeconds: number
}
export type Length = { /** The whole load, its steps in proportion. */ seconds?: number | undefined }

/** An arrival-rate executor of k6: iterations begin on schedule, regardless of the answers. */
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

/** A profile by its name, undefined for any other word. */
export function profileNamed(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile === name)
}
