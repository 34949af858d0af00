import { type Target, drillTarget } from './target.ts'
import { listAt, numberAt, type Result } from './read-result.ts'

/** Limits, Redis, and the delay until a change applies. */
export const limiterTargets: readonly Target[] = [
  {
    number: 1,
    title: 'Limiter: overshoot 0, false denials ≤ 0.1 %, 2 to 3 gateways, all windows',
    command: ['run', 'verify:limits', '--', '--runs', '500', '--out', 'docs/benchmarks/limits-against-log.json'],
    result: 'limits-against-log',
    read: (result) => ({
      figure: limiterFigure(result),
      // The script writes no file when a decision differs, so only the number of decisions is checked.
      isMet: numberAt(result, 'runs') >= 500 && numberAt(result, 'denials') > 0,
    }),
    testedIn: ['tests/limits/three-gateways.test.ts'],
  },
  drillTarget(2, {
    title: 'Redis refused: no 5xx, admitted ≤ limit + one share per gateway, reported ≤ 1 s, exact again ≤ 5 s after',
    drill: 'redis-away',
    figure: ({ answered, rows, degraded }) => `${answered} responses, ${degraded} of them degraded, ${rows} rows`,
    testedIn: ['tests/chaos/drills.test.ts', 'gateway/src/operations/degraded-modes.test.ts'],
  }),
  {
    number: 3,
    title: 'Redis hung: added p99 ≤ 60 ms, ≤ 2 ms after detection',
    command: ['load-tests/bench/degraded.ts'],
    result: 'degraded',
    read(result) {
      const rows = listAt(result, 'rows') as { phase: string; addedP99Ms: number }[]
      const added = (phase: string) => rows.find((row) => row.phase === phase)?.addedP99Ms ?? Infinity
      const [first, then] = [added('hung, before detection'), added('hung, after detection')]
      return { figure: `p99 ${signed(first)} ms, then ${signed(then)} ms`, isMet: first <= 60 && then <= 2 }
    },
    testedIn: ['gateway/src/operations/degraded-modes.test.ts'],
  },
  {
    number: 4,
    title: 'One round trip to Redis, p99 ≤ 2 ms at 2,000/s',
    command: ['gateway/bench/measure-round-trip.ts'],
    result: 'limiter-round-trip',
    read(result) {
      const [p50, p99] = [numberAt(result, 'roundTripMs', 'p50'), numberAt(result, 'roundTripMs', 'p99')]
      const [decisions, perSecond] = [numberAt(result, 'decisions'), numberAt(result, 'perSecond')]
      return {
        figure: `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms over ${decisions} decisions at ${perSecond}/s`,
        isMet: p99 <= 2 && perSecond >= 1_990 && decisions >= 60_000,
      }
    },
  },
  drillTarget(5, {
    title: 'Gateway killed: leases end ≤ 10 s, never more requests in flight than the limit',
    drill: 'lease-kills',
    figure: ({ kills, limit, mostInFlight, leasesEndAfterMs, availableAfterP50Ms, availableAfterMostMs }) =>
      `${kills} kills with ${limit} requests in flight: leases end after ${leasesEndAfterMs} ms at most; clients can use the whole limit after ${availableAfterP50Ms} ms (p50), ${availableAfterMostMs} ms at most; at most ${mostInFlight} in flight`,
    least: { kills: 20 },
    testedIn: ['tests/chaos/drills.test.ts'],
  }),
  {
    number: 6,
    title: 'Revocation, tier, role: apply at every gateway p99 ≤ 1 s, streams end ≤ 5 s',
    command: ['load-tests/propagation.ts'],
    result: 'propagation',
    read(result) {
      const p99Of = (what: string) => numberAt(result, `${what}Ms`, 'p99')
      const [revocation, tier, stream] = [p99Of('revocation'), p99Of('tierDocument'), p99Of('streamCut')]
      return {
        figure: `p99 at three gateways: a revocation ${revocation} ms, a tier document ${tier} ms; a stream of a revoked key ends after ${stream} ms`,
        isMet: revocation <= 1_000 && tier <= 1_000 && stream <= 5_000,
      }
    },
    testedIn: ['tests/limits/immediate-changes.test.ts', 'gateway/src/http/streams.test.ts'],
  },
  {
    number: 7,
    title: 'Sign-out, password reset, deactivation: tokens rejected ≤ 1 s',
    command: ['run', 'verify:sessions', '--', '--out', 'docs/benchmarks/session-sequences.json'],
    result: 'session-sequences',
    read: (result) => ({
      figure: `${numberAt(result, 'runs')} sequences compared with a model, no token accepted after its session`,
      // As above: the script writes no file if a sequence differs from the model.
      isMet: numberAt(result, 'runs') >= 2_000,
    }),
    testedIn: ['tests/attacks/06-refresh-tokens-and-sign-out.test.ts', 'tests/attacks/09-less-than-before.test.ts'],
  },
]

/**
 * The limiter decides as an exact log over each window and one cell does, because the oldest cell counts completely
 * (docs/gateway.md); `deniedEarly` counts the requests that a log over the window alone would have admitted.
 */
function limiterFigure(result: Result): string {
  const [decisions, denials] = [numberAt(result, 'decisions'), numberAt(result, 'denials')]
  const early = numberAt(result, 'deniedEarly')
  const asExpected = `${decisions} decisions, ${denials} denials, 0 above a limit, 0 different from an exact log over each window plus one cell`
  return `${asExpected}. A log over the window alone would have admitted ${early} of the denied requests (${((100 * early) / decisions).toFixed(1)} % of the decisions)`
}

/** Added latency; negative if requests are faster without Redis. */
function signed(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${Math.abs(ms).toFixed(1)}`
}
