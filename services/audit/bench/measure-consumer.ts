import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { deadLetterTopic, TOPICS } from '@tapeline/contracts/topics'
import { createKafka, createProducer } from '@tapeline/events/kafka'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { createLogger } from '@tapeline/service/logger'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import { verifyUsage } from '../src/reconciliation/verify-usage.ts'
import { countApplied, listConsumerBackends, logBytes } from './server-queries.ts'
import {
  type Audit,
  runContext,
  cpuMicros,
  internalKeys,
  openScratch,
  quantile,
  required,
  print,
  startAudit,
} from './scratch.ts'
import { createTraffic } from './usage-traffic.ts'

// Measures the consumer's CPU per event, the bytes of a row, and the delay until the dashboard shows it. Real Kafka; separate database and
// topics.

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    accounts: { type: 'string', default: '200' },
    'per-second': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    out: { type: 'string', default: 'docs/benchmarks/audit-consumer.json' },
  },
})
const [events, accounts] = [Number(values.events), Number(values.accounts)]
const [perSecond, seconds] = [Number(values['per-second']), Number(values.seconds)]
const BATCH = 1_000
/** Interval at which a gateway's shipper reads its journal. */
const SHIP_EVERY_MS = 100
const POLL_INTERVAL_MS = 100
const SETTLE_MS = 10_000

const brokers = required('KAFKA_BROKERS')
const prefix = `bench-${crypto.randomUUID().slice(0, 8)}-`
const topics = { env: { ...process.env, KAFKA_TOPIC_PREFIX: prefix } }
execFileSync(process.execPath, [join(import.meta.dirname, '../../../libs/events/src/topics/make-topics.ts')], topics)
const kafka = createKafka({ brokers, clientId: 'audit-bench', log: createLogger('audit', 'error') })
const producer = createProducer(kafka)
const scratch = await openScratch()
const probe = crypto.randomUUID()
const next = createTraffic(accounts, probe)
try {
  await producer.connect()
  await ensureDays(scratch.db, [Date.now(), Date.now() + 3_600_000])
  for (let n = 0; n < events; n += BATCH) await send(BATCH)
  print(`${events} events wait in Kafka`)
  const audit = await startAudit({
    DATABASE_URL: scratch.url,
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: prefix,
    ROLES: 'http,consumer',
  })
  try {
    await measureAll(audit)
  } finally {
    await audit.stop()
  }
} finally {
  await producer.disconnect()
  await deleteTopics()
  await scratch.drop()
}

async function measureAll(audit: Audit): Promise<void> {
  const backlog = await measureCpu(audit, async () => untilApplied(events))
  const steady = await measureCpu(audit, async () => {
    await sendSteadily(() => {})
    await untilApplied(events + perSecond * seconds)
  })
  const freshness = await measureFreshness(audit)
  await untilApplied(events + 2 * perSecond * seconds)
  const { isRight, rows, repeatedIds, deadLetters } = await verifyUsage(scratch.db, null)
  const result = {
    ...runContext(),
    accounts,
    backlog,
    steady: { perSecond, ...steady },
    freshness: { perSecond, ...freshness },
    storage: { rows, bytesPerRow: Math.round((await logBytes(scratch.db)) / rows) },
    verified: { isRight, rows, repeatedIds, deadLetters },
  }
  print(JSON.stringify(result, null, 2))
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
}

/** CPU time per event of the service and of PostgreSQL on its behalf. */
async function measureCpu(audit: Audit, work: () => Promise<void>) {
  const backends = await listConsumerBackends(scratch.db)
  const before = {
    applied: await appliedNow(),
    atMs: Date.now(),
    audit: cpuMicros([audit.pid]),
    postgres: cpuMicros(backends),
  }
  await work()
  // Connections opened during the measurement started at zero.
  const all = new Set([...backends, ...(await listConsumerBackends(scratch.db))])
  const count = (await appliedNow()) - before.applied
  const perEvent = (micros: number) => Number((micros / count).toFixed(1))
  const wallS = (Date.now() - before.atMs) / 1_000
  return {
    events: count,
    consumerCpuMicrosPerEvent: perEvent(cpuMicros([audit.pid]) - before.audit),
    postgresCpuMicrosPerEvent: perEvent(cpuMicros([...all]) - before.postgres),
    eventsPerSecond: Math.round(count / wallS),
  }
}

/** Age of the newest request in the report, from the time at which a shipper would have sent it. */
async function measureFreshness({ url }: Audit) {
  const sentAtMs: number[] = []
  const before = await dashboardTotal(url)
  const ages: number[] = []
  let isDone = false
  const polling = (async () => {
    while (!isDone) {
      const startedMs = Date.now()
      const counted = (await dashboardTotal(url)) - before
      const oldestUnseen = sentAtMs[counted]
      if (oldestUnseen !== undefined) ages.push(startedMs - oldestUnseen)
      else if (sentAtMs.length > 0) ages.push(0)
      await delay(POLL_INTERVAL_MS)
    }
  })()
  await sendSteadily((ofProbe) => {
    const nowMs = Date.now()
    for (let n = 0; n < ofProbe; n += 1) sentAtMs.push(nowMs)
  })
  isDone = true
  await polling
  const ms = (share: number) => Math.round(quantile(ages, share))
  return { looks: ages.length, p50Ms: ms(0.5), p95Ms: ms(0.95), p99Ms: ms(0.99), maxMs: ms(1) }
}

async function dashboardTotal(url: string): Promise<number> {
  const actor = {
    kind: 'user' as const,
    userId: probe,
    role: 'user' as const,
    tier: 'pro' as const,
    features: ['basicAnalytics', 'advancedAnalytics'],
    sessionId: null,
    keyId: null,
    scopes: [],
    environment: 'live' as const,
    timeZone: 'UTC',
  }
  const token = signActorToken(internalKeys, { caller: 'gateway', audience: 'audit', actor, nowMs: Date.now() })
  const path = '/api/v1/internal/apikeyaudit/dashboard-metrics?period=24h'
  const response = await fetch(url + path, { headers: { [ACTOR_HEADER]: token } })
  // Response of the service itself.
  const { data } = (await response.json()) as { data: UsageReport }
  return data.total
}

async function sendSteadily(onSent: (ofProbe: number) => void): Promise<void> {
  const startedMs = Date.now()
  const perTick = Math.round((perSecond * SHIP_EVERY_MS) / 1_000)
  for (let tick = 1; tick <= (seconds * 1_000) / SHIP_EVERY_MS; tick += 1) {
    await send(perTick, onSent)
    await delay(Math.max(0, startedMs + tick * SHIP_EVERY_MS - Date.now()))
  }
}

async function send(count: number, onSent: (ofProbe: number) => void = () => {}): Promise<void> {
  const messages = Array.from({ length: count }, next)
  onSent(messages.filter(({ key }) => key === probe).length)
  await producer.send({ topic: `${prefix}usage`, acks: -1, messages })
}

async function untilApplied(count: number): Promise<void> {
  let last = -1
  let stillSinceMs = Date.now()
  for (let applied = await appliedNow(); applied < count; applied = await appliedNow()) {
    if (applied !== last) stillSinceMs = Date.now()
    if (Date.now() - stillSinceMs > SETTLE_MS * 12)
      throw new Error(`the consumer makes no progress at ${applied} of ${count} events`)
    last = applied
    await delay(POLL_INTERVAL_MS)
  }
}

/** Each event has its own offset. Counting the rows would use the cores that are measured. */
function appliedNow(): Promise<number> {
  return countApplied(scratch.db, `${prefix}usage`)
}

async function deleteTopics(): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  const names = Object.keys(TOPICS).flatMap((name) => [prefix + name, prefix + deadLetterTopic(name)])
  await admin.deleteTopics({ topics: names })
  await admin.disconnect()
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
