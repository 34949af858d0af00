import { type Target, drillTarget } from './target.ts'
import { limiterTargets } from './limiter-targets.ts'
import { securityTargets } from './security-targets.ts'
import { listAt, numberAt } from './read-result.ts'

const P99_GROWTH_MAX = 1.1
const inTests = (testedIn: readonly string[]) => ({ testedIn })

/** Targets for counting, notifications and operation during outages. */
const deliveryTargets: readonly Target[] = [
  drillTarget(8, {
    title: 'Gateway killed 20 times: no request lost or counted twice',
    drill: 'gateway-kills',
    figure: ({ kills, answered, rows }) => `${kills} kills, ${answered} responses, ${rows} rows`,
    least: { kills: 20 },
    ...inTests(['tests/chaos/kills.test.ts']),
  }),
  drillTarget(9, {
    title: 'Kafka unavailable for 120 s at 200/s: nothing lost or duplicated, p99 +≤ 10 %, drained ≤ 60 s',
    drill: 'kafka-away',
    options: ['--away', '120'],
    figure: ({ awayMs, answered, countedAfterMs, p99BeforeMs, p99AwayMs }) =>
      `${(awayMs ?? 0) / 1_000} s unavailable, ${answered} responses, p99 ${p99BeforeMs} ms before and ${p99AwayMs} ms during the outage, all counted ${countedAfterMs} ms after the load`,
    least: { awayMs: 120_000 },
    holds: ({ p99BeforeMs = 0, p99AwayMs = Infinity }) => p99AwayMs <= P99_GROWTH_MAX * p99BeforeMs,
    ...inTests(['tests/chaos/drills.test.ts']),
  }),
  drillTarget(10, {
    title: 'Consumer killed 50 times: rows = ids, sums exact',
    drill: 'consumer-kills',
    options: ['--kills', '50'],
    figure: ({ kills, answered, rows }) => `${kills} kills, ${answered} responses, ${rows} rows`,
    least: { kills: 50 },
    ...inTests(['tests/chaos/kills.test.ts']),
  }),
  drillTarget(11, {
    title: 'A paused consumer writes nothing stale after it resumes',
    drill: 'zombie',
    figure: ({ answered, rows }) => `paused for 28 s, ${answered} responses, ${rows} rows`,
    ...inTests(['libs/events/src/consumer/zombie.test.ts']),
  }),
  drillTarget(12, {
    title: '1 % poison events: all become dead letters, processing stops ≤ 5 s, replay restores them',
    drill: 'poison',
    figure: ({ poison, longestStallMs }) => `${poison} poisoned, longest stall ${longestStallMs} ms`,
    ...inTests(['tests/chaos/drills.test.ts']),
  }),
  drillTarget(13, {
    title: 'A stalled consumer restarts its process ≤ 45 s',
    drill: 'stalled-consumer',
    figure: ({ restartedAfterMs = 0, storesAfterMs = 0, answered, rows }) =>
      `a new process after ${(restartedAfterMs / 1_000).toFixed(1)} s, which stores events after ${(storesAfterMs / 1_000).toFixed(1)} s; ${answered} responses, ${rows} rows`,
    ...inTests(['libs/events/src/consumer/progress.test.ts', 'libs/service/src/process/run-process.test.ts']),
  }),
  drillTarget(14, {
    title: 'identity and api-key unavailable for 60 s: cached keys served ≥ 99.9 %, sign-in 503 ≤ 100 ms',
    drill: 'databases-away',
    options: ['--away', '60'],
    figure: ({ faults, visits, failedVisits, signInRefusedP99Ms }) =>
      `${faults} database outages, ${failedVisits} of ${visits} requests failed, none outside the blast radius; 503 for a sign-in within ${signInRefusedP99Ms} ms (p99)`,
    holds: ({ signInRefusedP99Ms = Infinity }) => signInRefusedP99Ms <= 100,
    ...inTests(['tests/chaos/drills.test.ts', 'gateway/src/operations/degraded-modes.test.ts']),
  }),
  drillTarget(15, {
    title: '3× overload: goodput ≥ 90 %, pro ≥ 99.4 %, p99 ≤ 250 ms, normal ≤ 5 s after',
    drill: 'overload',
    figure: ({ times, goodput = 0, pro, proServed, p99Ms, normalAfterMs }) =>
      `${times}× the served rate: goodput ${(goodput * 100).toFixed(1)} %, pro ${proServed} of ${pro}, p99 ${p99Ms} ms, normal again after ${normalAfterMs} ms`,
    least: { times: 3 },
  }),
  drillTarget(16, {
    title: 'Retries ≤ 1.1×; an open breaker stops ≥ 99 % within 1 s',
    drill: 'upstream-failing',
    figure: ({ requests, retried = 0, stopped = 0, openedAfterMs = 0 }) =>
      `30 % failed: ${retried.toFixed(3)} times ${requests} requests reached the service; all failed: breakers open after ${(openedAfterMs / 1_000).toFixed(1)} s, one second later ${(stopped * 100).toFixed(2)} % are stopped`,
    ...inTests(['gateway/src/proxy/upstream-health.test.ts', 'libs/service/src/calls/breaker.test.ts']),
  }),
  {
    number: 17,
    title: 'No work after the deadline; statements cancelled ≤ 50 ms',
    command: ['tests/with-servers.ts', 'libs/database/bench/measure-cancel.ts'],
    result: 'cancel',
    read(result) {
      const p99 = numberAt(result, 'cancelledMs', 'p99')
      return { figure: `${numberAt(result, 'trials')} statements, cancelled after p99 ${p99} ms`, isMet: p99 <= 50 }
    },
    ...inTests(['libs/database/src/cancel.test.ts']),
  },
  drillTarget(18, {
    title: 'Rolling restart: 0 failed of ≥ 9,000',
    drill: 'rolling-restart',
    figure: ({ failed, answered, restarts }) => `${failed} failed of ${answered}, ${restarts} restarts`,
    least: { answered: 9_000 },
    ...inTests(['tests/chaos/rolling-restart.test.ts']),
  }),
  drillTarget(19, {
    title: 'Redis flushed: database load ≤ 2×, no 5xx',
    drill: 'redis-flushed',
    figure: ({ databaseLoad = Infinity, ...admitted }) =>
      `database load ×${databaseLoad.toFixed(2)}; admitted by window: ${Object.entries(admitted)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    holds: ({ databaseLoad = Infinity }) => databaseLoad <= 2,
    ...inTests(['tests/chaos/drills.test.ts']),
  }),
]

const operationTargets: readonly Target[] = [
  {
    number: 27,
    title: 'Manifests accepted under Pod Security restricted; ≥ 30 mutations, all detected',
    ...inTests(['deploy/manifests/mutations.test.ts']),
    recorded: 'accepted by an API server: [verified.md](verified.md), `npm run verify:k8s`',
  },
  {
    number: 28,
    title: 'An outage pages ≤ 2 min, 0.05 % errors do not, each fault fires its alert and no other',
    command: ['run', 'verify:observability'],
    result: 'observability',
    read(result) {
      const faults = listAt(result, 'faults') as { unexpected: string[]; missing: string[] }[]
      const right = faults.filter(({ unexpected, missing }) => unexpected.length + missing.length === 0).length
      const [pagedS, rare] = [numberAt(result, 'page', 'afterSeconds'), numberAt(result, 'rareErrors', 'failed')]
      const isWhole = listAt(result, 'faultsNotRun').length === 0
      return {
        figure: `an outage pages after ${pagedS} s; ${right} of ${faults.length} faults fire exactly their alerts; one of the faults is ${rare} failed requests, one in ${numberAt(result, 'rareErrors', 'oneIn')}`,
        isMet: result['held'] === true && isWhole && pagedS <= 120,
      }
    },
    ...inTests(['deploy/observability/observability.test.ts']),
  },
  {
    number: 29,
    title: '10 min at 60 %: memory < 1 MB/min, descriptors flat, loop p99 < 20 ms',
    command: ['load-tests/soak.ts'],
    result: 'soak',
    read(result) {
      const growths = listAt(result, 'growths')
      const most = Math.max(...growths.map((one) => numberAt(one, 'rssMbPerMinute')))
      const minutes = numberAt(result, 'minutes')
      return {
        figure: `${minutes} min, ${numberAt(result, 'answered')} responses, at most ${most.toFixed(2)} MB/min in one process`,
        isMet: result['held'] === true && minutes >= 10,
      }
    },
  },
  drillTarget(30, {
    title: 'A day of faults in 10 min: unaffected ≥ 99.9 %, replayable',
    drill: 'day',
    options: ['--away', '30'],
    figure: ({ faults, seconds = 0, unaffectedServed, unaffected, longestRecoveryMs }) =>
      `${faults} faults in ${(seconds / 60).toFixed(0)} min, ${unaffectedServed} of ${unaffected} unaffected requests served, every part of the API available ${longestRecoveryMs} ms after its fault`,
    least: { faults: 30 },
  }),
  {
    number: 31,
    title: "Audit's sums computed again ≤ 60 s per million events, bit for bit the same",
    command: ['tests/with-servers.ts', 'services/audit/bench/measure-verify.ts'],
    result: 'audit-verify',
    read(result) {
      const perMillion = numberAt(result, 'secondsPerMillion')
      return {
        figure: `${numberAt(result, 'rows')} rows, ${perMillion} s per million, all sums agree`,
        isMet: result['isRight'] === true && perMillion <= 60,
      }
    },
    ...inTests(['services/audit/src/reconciliation/verify-usage.test.ts']),
  },
  {
    number: 32,
    title: 'Clocks ±120 s: no token past exp + 30 s, no limit reset early',
    ...inTests(['gateway/src/limiter/clock-jumps.test.ts']),
  },
]

/** All thirty-two targets, in order. */
export const TARGETS: readonly Target[] = [
  ...limiterTargets,
  ...deliveryTargets,
  ...securityTargets,
  ...operationTargets,
].toSorted((one, other) => one.number - other.number)
