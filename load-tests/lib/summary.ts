/** The part of k6's handleSummary data that is used here. */
export type K6Metric = {
  type: string
  values: Record<string, number>
  thresholds?: Record<string, { ok: boolean }>
}
export type K6Summary = {
  metrics: Record<string, K6Metric>
  root_group: K6Group
  state: { testRunDurationMs: number }
}
type K6Group = { checks?: { name: string; passes: number; fails: number }[]; groups?: K6Group[] }

export type LatencyFigures = { count: number; p50: number; p95: number; p99: number; max: number }
export type Slice = {
  fromSeconds: number
  requests: number
  perSecond: number
  p95: number
  p99: number
  failed: number
}
export type Rule = { metric: string; rule: string; held: boolean }
/** Parameters and results of a load, as stored, compared and drawn. */
export type LoadSummary = {
  journey: string
  profile: string
  seconds: number
  requests: number
  requestsPerSecond: number
  iterations: number
  droppedIterations: number
  failedShare: number
  limiterOvershoot: number
  /** null if no answer had a Retry-After. */
  retryAfterHonoured: number | null
  accepted: number
  refused: number
  degraded: number
  /** Admitted requests according to the request log; null if it was not read. */
  logged: number | null
  /** Hours of records from which the journey reads, of the instrument with the fewest; null if it does not matter. */
  historyHours: number | null
  /** By tier of the key; `none` is requests of users, `all` is all requests. */
  latencies: Record<string, LatencyFigures>
  /** Other durations of the journey, by metric name. */
  times: Record<string, LatencyFigures>
  rules: Rule[]
  checks: { name: string; passes: number; fails: number }[]
  slices: Slice[]
}

const OF_A_SLICE = /^(http_req_duration|http_req_failed)\{slice:(\d+)\}$/
const OF_A_TIER = /^http_req_duration\{tier:(\w+)\}$/

export type About = { journey: string; profile: string; sliceSeconds: number }

export function summarize({ metrics, root_group, state }: K6Summary, about: About): LoadSummary {
  const value = (metric: string, name: string) => metrics[metric]?.values[name] ?? 0
  const { journey, profile, sliceSeconds } = about
  return {
    journey,
    profile,
    seconds: Math.round(state.testRunDurationMs / 1_000),
    requests: value('http_reqs', 'count'),
    requestsPerSecond: value('http_reqs', 'rate'),
    iterations: value('iterations', 'count'),
    droppedIterations: value('dropped_iterations', 'count'),
    failedShare: value('http_req_failed', 'rate'),
    limiterOvershoot: value('limiter_overshoot', 'count'),
    retryAfterHonoured: metrics['retry_after_honoured']?.values['rate'] ?? null,
    accepted: value('accepted_answers', 'count'),
    refused: value('refused_answers', 'count'),
    degraded: value('degraded_answers', 'count'),
    logged: metrics['logged_accepted']?.values['count'] ?? null,
    historyHours: metrics['history_hours']?.values['min'] ?? null,
    latencies: { all: latencyOf(metrics['http_req_duration']), ...latenciesByTier(metrics) },
    times: timesOf(metrics),
    rules: rulesOf(metrics),
    checks: checksOf(root_group),
    slices: slicesOf(metrics, sliceSeconds),
  }
}

function latencyOf(metric: K6Metric | undefined): LatencyFigures {
  const of = (name: string) => metric?.values[name] ?? 0
  return { count: of('count'), p50: of('med'), p95: of('p(95)'), p99: of('p(99)'), max: of('max') }
}

function latenciesByTier(metrics: K6Summary['metrics']): Record<string, LatencyFigures> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, metric]) => {
      const tier = OF_A_TIER.exec(name)?.[1]
      return tier === undefined || latencyOf(metric).count === 0 ? [] : [[tier, latencyOf(metric)]]
    }),
  )
}

/** Trends defined by the journey; those of k6 begin with http_, iteration or group. */
function timesOf(metrics: K6Summary['metrics']): Record<string, LatencyFigures> {
  const own = Object.entries(metrics).filter(
    ([name, { type }]) => type === 'trend' && !/^(http_|iteration_|group_)/.test(name) && !name.includes('{'),
  )
  return Object.fromEntries(own.map(([name, metric]) => [name, latencyOf(metric)]))
}

function rulesOf(metrics: K6Summary['metrics']): Rule[] {
  return Object.entries(metrics)
    .filter(([name]) => !OF_A_SLICE.test(name))
    .flatMap(([metric, { thresholds = {}, values }]) =>
      // Without responses, k6 reports latency thresholds as met.
      Object.entries(thresholds).map(([rule, { ok }]) => ({
        metric,
        rule,
        held: ok && !(OF_A_TIER.test(metric) && values['count'] === 0),
      })),
    )
    .toSorted((one, other) => one.metric.localeCompare(other.metric))
}

function checksOf({ checks = [], groups = [] }: K6Group): LoadSummary['checks'] {
  const own = checks.map(({ name, passes, fails }) => ({ name, passes, fails }))
  return [...own, ...groups.flatMap(checksOf)]
}

function slicesOf(metrics: K6Summary['metrics'], sliceSeconds: number): Slice[] {
  return Object.entries(metrics)
    .flatMap(([name, metric]) => {
      const [, kind, slice] = OF_A_SLICE.exec(name) ?? []
      if (kind !== 'http_req_duration' || slice === undefined) return []
      const { count, p95, p99 } = latencyOf(metric)
      const failed = metrics[`http_req_failed{slice:${slice}}`]?.values['rate'] ?? 0
      const fromSeconds = Number(slice) * sliceSeconds
      return [{ fromSeconds, requests: count, perSecond: count / sliceSeconds, p95, p99, failed }]
    })
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
}
