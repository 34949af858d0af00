import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { cancelWith } from '../src/cancel.ts'
import { createPool } from '../src/connect.ts'

// How soon after its client has disconnected does PostgreSQL cancel a statement?

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '200' },
    out: { type: 'string', default: 'docs/benchmarks/cancel.json' },
  },
})
const TRIALS = Number(values.trials)
const AIM_MS = 50
const LONG_S = 60

const result = beginResult()
const url = testServers().databaseUrl
const name = `cancel-bench-${crypto.randomUUID().slice(0, 8)}`
const pool = createPool({
  url,
  connectionsMax: 2,
  applicationName: name,
  statementTimeoutMs: (LONG_S + TRIALS) * 1_000,
})
const observer = createPool({ url, connectionsMax: 1, applicationName: `${name}-observer` })
try {
  const times: number[] = []
  for (let trial = 0; trial < TRIALS; trial += 1) times.push(await cancelOne(LONG_S + trial))
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Number((sorted[Math.min(TRIALS - 1, Math.floor(share * TRIALS))] ?? 0).toFixed(1))
  const cancelledMs = { p50: at(0.5), p99: at(0.99), max: at(1) }
  process.stdout.write(
    `cancelled after p50 ${cancelledMs.p50}, p99 ${cancelledMs.p99}, max ${cancelledMs.max} ms (aim ${AIM_MS})\n`,
  )
  result.write(values.out, { trials: TRIALS, aimMs: AIM_MS, cancelledMs })
} finally {
  await Promise.all([pool.end(), observer.end()])
}

/** Milliseconds from the disconnection until PostgreSQL has answered that the statement is cancelled. */
async function cancelOne(seconds: number): Promise<number> {
  const controller = new AbortController()
  const cancelled = cancelWith(controller.signal, () => pool.query(`select pg_sleep(${seconds})`)).then(
    () => undefined,
    (error: unknown) => error,
  )
  await waitUntil('the statement runs', () => isRunning(seconds))
  const startedMs = performance.now()
  controller.abort()
  const error = await cancelled
  const tookMs = performance.now() - startedMs
  if (!isCancellation(error)) throw new Error('the statement was not cancelled', { cause: error })
  return tookMs
}

async function isRunning(seconds: number): Promise<boolean> {
  const { rowCount } = await observer.query(
    `select from pg_stat_activity where application_name = $1 and state = 'active' and query = $2`,
    [name, `select pg_sleep(${seconds})`],
  )
  return rowCount === 1
}

/** `query_canceled` of PostgreSQL. */
function isCancellation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
