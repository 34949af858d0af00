import { Gauge, Registry } from '@tapeline/service/metrics'
import { sumDrift } from './check-queries.ts'
import type { Deps } from '../deps.ts'

const MS_PER_S = 1_000
const NO_COMPARISON = { missing: 0, extra: 0, unverified: 0, checked_until: null }

/** Metrics read from the tables on each scrape, so that every process of the service reports the same values. */
export function driftMetrics({ db }: Pick<Deps, 'db'>): Registry {
  const registry = new Registry()
  const registers = [registry]
  const unverified = new Gauge({
    name: 'audit_usage_unverified_minutes',
    help: 'Minutes of accounts that could not be compared, because Redis lost its counts.',
    registers,
  })
  const checked = new Gauge({
    name: 'audit_usage_checked_until_seconds',
    help: "Usage before this time was compared with the limiter's counts.",
    registers,
  })
  // One gauge reads the values of all of them.
  const drift: Gauge<'kind'> = new Gauge({
    name: 'audit_usage_drift_requests',
    help: 'Requests counted by the limiter that have no usage row (missing), and usage rows that the limiter did not count (extra).',
    labelNames: ['kind'],
    registers,
    async collect() {
      const sums = await sumDrift(db).then(
        (found) => found ?? NO_COMPARISON,
        () => undefined,
      )
      // Without the database the process still reports its other metrics, and the last values of these.
      if (sums === undefined) return
      const { missing, extra, unverified: minutes, checked_until } = sums
      drift.set({ kind: 'missing' }, Number(missing))
      drift.set({ kind: 'extra' }, Number(extra))
      unverified.set(Number(minutes))
      checked.set((checked_until?.getTime() ?? 0) / MS_PER_S)
    },
  })
  return registry
}
