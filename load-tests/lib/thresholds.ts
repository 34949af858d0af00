import type { Profile } from './profiles.ts'
import { sliceNames, type Slices } from './slices.ts'

export const TIERS = ['free', 'basic', 'pro'] as const
export type Tier = (typeof TIERS)[number]

/** Maximum response times, in milliseconds. */
export type Latency = { p95: number; p99: number }
/** By tier for requests with a key; `none` for those of users (sign-in, dashboard). */
export type Latencies = Partial<Record<Tier | 'none', Latency>>

/** The objective of the data API is 99 % within 100 ms at the gateway; these limits include generator and network. */
export const DATA_LATENCIES: Latencies = {
  pro: { p95: 100, p99: 250 },
  basic: { p95: 150, p99: 400 },
  free: { p95: 200, p99: 500 },
}
/** A smoke test checks function, not speed; above the base rate, responses may be slower but must not fail. */
const TOLERANCE_FACTOR: Readonly<Record<Profile, number>> = {
  smoke: 10,
  average: 1,
  stress: 2,
  spike: 4,
  soak: 1,
  breakpoint: 4,
}
const FAILED_SHARE: Readonly<Record<Profile, string>> = {
  smoke: 'rate==0',
  average: 'rate<0.0005',
  stress: 'rate<0.001',
  spike: 'rate<0.005',
  soak: 'rate<0.0005',
  breakpoint: 'rate<0.01',
}
const BREAKPOINT_DROPPED_MAX = 100
const ABORT_AFTER = '20s'

export type Rule = string | { threshold: string; abortOnFail: boolean; delayAbortEval: string }
export type Thresholds = Record<string, Rule[]>

/** Thresholds of every journey. In the profile `breakpoint`, the first violation ends the load. */
export function thresholdsOf(profile: Profile, latencies: Latencies): Thresholds {
  const isSearch = profile === 'breakpoint'
  const rule = (threshold: string): Rule =>
    isSearch ? { threshold, abortOnFail: true, delayAbortEval: ABORT_AFTER } : threshold
  const byTier = Object.entries(latencies).map(([tier, { p95, p99 }]): [string, Rule[]] => [
    `http_req_duration{tier:${tier}}`,
    [rule(`p(95)<${p95 * TOLERANCE_FACTOR[profile]}`), rule(`p(99)<${p99 * TOLERANCE_FACTOR[profile]}`)],
  ])
  return {
    http_req_failed: [rule(FAILED_SHARE[profile])],
    dropped_iterations: [rule(isSearch ? `count<${BREAKPOINT_DROPPED_MAX}` : 'count==0')],
    checks: isSearch ? [] : ['rate==1'],
    limiter_overshoot: ['count==0'],
    ...Object.fromEntries(byTier),
  }
}

/** Thresholds that are always met, because k6 reports a submetric only if a threshold names it. */
export function figuresOf(slices: Slices): Thresholds {
  return Object.fromEntries(
    sliceNames(slices).flatMap((slice): [string, Rule[]][] => [
      [`http_req_duration{slice:${slice}}`, ['max>=0']],
      [`http_req_failed{slice:${slice}}`, ['rate>=0']],
    ]),
  )
}
