import exec from 'k6/execution'
import type { Options, Scenario } from 'k6/options'
import { arrivalRate, type Pace, profileNamed, secondsOf } from './profiles.ts'
import { sliceAt, slicesOf } from './slices.ts'
import { figuresOf, type Latencies, type Thresholds, thresholdsOf } from './thresholds.ts'

/** PROFILE, RATE and SECONDS are set by `npm run load`. */
const profile = profileNamed(__ENV['PROFILE'] || 'smoke')
if (profile === undefined) throw new Error(`there is no profile ${__ENV['PROFILE']}`)
const length = { seconds: numberOf('SECONDS') }
const slices = slicesOf(secondsOf(profile, length))
const SETUP_TIMEOUT = '300s'

export type Part = Pace & { /** The name of an exported function. */ exec: string }
export type Journey = { parts: Record<string, Part>; latencies: Latencies; thresholds?: Thresholds }

/** RATE is the rate of the first part, in iterations per second; the rates of other parts change in proportion. */
export function journeyOptions({ parts, latencies, thresholds = {} }: Journey): Options {
  const chosen = numberOf('RATE')
  const first = Object.values(parts)[0]?.perSecond ?? 1
  const times = chosen === undefined ? 1 : chosen / first
  return {
    scenarios: Object.fromEntries(
      Object.entries(parts).map(([name, { exec: run, perSecond, iterationSeconds }]): [string, Scenario] => [
        name,
        { ...arrivalRate(profileOf(), { perSecond: perSecond * times, iterationSeconds }, length), exec: run },
      ]),
    ),
    thresholds: { ...thresholdsOf(profileOf(), latencies), ...thresholds, ...figuresOf(slices) },
    summaryTrendStats: ['count', 'avg', 'med', 'p(95)', 'p(99)', 'max'],
    // Without the tag `url`, which would create a metric for each URL.
    systemTags: ['status', 'method', 'name', 'scenario', 'expected_response', 'error_code', 'check', 'group'],
    setupTimeout: SETUP_TIMEOUT,
    teardownTimeout: SETUP_TIMEOUT,
    discardResponseBodies: false,
    userAgent: 'tapeline-load/1 (k6)',
  }
}

/** Tags the measurements of this iteration with the current slice and returns the iteration's number in its part. */
export function beginIteration(): number {
  exec.vu.metrics.tags['slice'] = sliceAt(slices, Date.now() - exec.scenario.startTime)
  return exec.scenario.iterationInTest
}

function profileOf() {
  return profile ?? 'smoke'
}

function numberOf(name: string): number | undefined {
  const text = __ENV[name]
  return text === undefined || text === '' ? undefined : Number(text)
}
