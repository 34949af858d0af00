import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { verifyUsage } from '../src/reconciliation/verify-usage.ts'
import { fillAccount } from './fill-queries.ts'
import { internalKeys, openScratch, print, quantile, required, runContext, startAudit } from './scratch.ts'

// Measures the dashboard's calls over millions of rows, in a database that it creates, fills and drops.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    calls: { type: 'string', default: '300' },
    out: { type: 'string', default: 'docs/benchmarks/audit-reports.json' },
  },
})
const [rows, calls] = [Number(values.rows), Number(values.calls)]
const DAYS = 90
const AUDIT = '/api/v1/internal/apikeyaudit'
const CALLS = [
  'dashboard-metrics?period=90d',
  'dashboard-metrics?period=30d',
  'dashboard-metrics?period=7d',
  'api-key-usage?period=90d',
  'usage-breakdown?period=90d&groupBy=status',
  'usage-breakdown?period=90d&groupBy=hour',
  'usage-breakdown?period=90d&groupBy=network',
  'real-time-stats',
]
const actor: UserActor = {
  kind: 'user',
  userId: crypto.randomUUID(),
  role: 'user',
  tier: 'pro',
  features: ['basicAnalytics', 'advancedAnalytics'],
  sessionId: crypto.randomUUID(),
  keyId: null,
  scopes: [],
  environment: 'live',
  timeZone: 'America/New_York',
}

const scratch = await openScratch()
try {
  const startedMs = Date.now()
  await fillAccount(scratch.db, { accountId: actor.userId, rows, days: DAYS })
  print('the rows and their roll-ups are there')
  const verdict = await verifyUsage(scratch.db, actor.userId)
  const filledS = (Date.now() - startedMs) / 1_000
  const audit = await startAudit({ DATABASE_URL: scratch.url, ROLES: 'http', KAFKA_BROKERS: required('KAFKA_BROKERS') })
  try {
    const figures = []
    for (const call of CALLS) figures.push({ call, ...(await measure(`${audit.url}${AUDIT}/${call}`)) })
    print(JSON.stringify(figures, null, 2))
    const result = { ...runContext(), rows: verdict.rows, rollUpsAreRight: verdict.isRight, filledS, calls, figures }
    mkdirSync(dirname(values.out), { recursive: true })
    writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  } finally {
    await audit.stop()
  }
} finally {
  await scratch.drop()
}

async function measure(url: string) {
  const took: number[] = []
  for (let n = 0; n < calls; n += 1) {
    const startedMs = performance.now()
    const token = signActorToken(internalKeys, { caller: 'gateway', audience: 'audit', actor, nowMs: Date.now() })
    const response = await fetch(url, { headers: { [ACTOR_HEADER]: token } })
    const body = await response.text()
    if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${body}`)
    // The first calls run with cold caches and uncompiled code.
    if (n >= calls / 10) took.push(performance.now() - startedMs)
  }
  const ms = (share: number) => Number(quantile(took, share).toFixed(1))
  return { p50Ms: ms(0.5), p95Ms: ms(0.95), p99Ms: ms(0.99), maxMs: ms(1) }
}
