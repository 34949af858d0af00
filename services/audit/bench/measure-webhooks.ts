import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { beginResult } from '@tapeline/testing/begin-result'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { insertDeliveries } from '../src/webhooks/deliveries/delivery-queries.ts'
import { startWebhookQueue } from '../src/webhooks/deliveries/start-webhook-queue.ts'
import { createWebhookPoster } from '../src/webhooks/deliveries/webhook-poster.ts'
import { createSecretVault } from '../src/webhooks/secret-vault.ts'
import { endpointKind, type EndpointKind, makeEndpoints, startEndpoints } from './webhook-endpoints.ts'
import { openScratch, print, quantile, required } from './scratch.ts'

// node tests/with-servers.ts services/audit/bench/measure-webhooks.ts [--deliveries 100000] [--rate 300] [--out <file>]:
// deliveries to 100 endpoints, of which 5 answer after 5 s, 5 return 500 and one never answers. Measures the time from the
// event to the start of the request at the other 89 (aim: p99 at most 2 s), and compares it with a run without these eleven.
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '300' },
    out: { type: 'string' },
  },
})
const DELIVERIES = Number(values.deliveries)
const RATE = Number(values.rate)
const ENDPOINTS = 100
const BASELINE_SHARE = 0.1
const AIM_MS = 2_000
const SECOND_MS = 1_000
/** After the last event, healthy endpoints have this long to get what is queued for them. */
const SETTLE_MS = 30_000

const result = beginResult()
const scratch = await openScratch()
const { db } = scratch
const receiver = await startEndpoints()
const configs = { [TIERS_KEY]: { value: tierDocuments, is_public: false } }
const settings = fixedSettings({ version: 1, flags: [], configs })
const vault = createSecretVault('a-key-of-webhook-secrets-for-a-measurement')
const poster = createWebhookPoster({ rules: { allowsLoopback: true } })
const deps = { db, now: () => new Date(), newId: () => crypto.randomUUID(), settings, vault, poster }
const queue = startWebhookQueue(deps, {
  redisUrl: process.env['REDIS_JOBS_URL'] ?? required('REDIS_URL'),
  name: `measure-${crypto.randomUUID()}`,
  logger: silentLogger,
})

try {
  const alone = await run(
    'healthy endpoints alone',
    Math.round(DELIVERIES * BASELINE_SHARE),
    (n) => endpointKind(n) === 'healthy',
  )
  const together = await run('with slow, failing and silent endpoints', DELIVERIES, () => true)
  const figures = {
    endpoints: ENDPOINTS,
    deliveries: DELIVERIES,
    eventsPerSecond: RATE,
    aimMs: AIM_MS,
    alone,
    together,
  }
  print(JSON.stringify(figures))
  if (values.out !== undefined) result.write(values.out, figures)
  process.exitCode = together.startMs.p99 <= AIM_MS && together.missing === 0 ? 0 : 1
} finally {
  await queue.stop()
  poster.close()
  await receiver.close()
  await scratch.drop()
}
process.exit()

/** Queues events at a steady rate, one endpoint after the other. */
async function run(what: string, deliveries: number, isIncluded: (n: number) => boolean) {
  print(what)
  const accounts = await makeEndpoints(deps, receiver.url, { count: ENDPOINTS, isIncluded })
  const queued = new Map<string, number>()
  const startedMs = performance.now()
  for (let n = 0; n < deliveries; n += 1) {
    const waitMs = startedMs + (n * SECOND_MS) / RATE - performance.now()
    if (waitMs > 1) await sleep(waitMs)
    const { accountId, kind } = accounts[n % accounts.length] ?? { accountId: '', kind: 'healthy' as const }
    const eventId = crypto.randomUUID()
    if (kind === 'healthy') queued.set(`evt_${eventId}`, Date.now())
    await db.transaction().execute((trx) =>
      insertDeliveries(
        trx,
        {
          eventId,
          accountId,
          type: 'key.created',
          subject: 'ci',
          occurredAt: new Date(),
          data: { account_id: accountId },
        },
        { tiers: ['basic'], now: new Date() },
      ),
    )
  }
  const queueSeconds = Math.round((performance.now() - startedMs) / SECOND_MS)
  await settle(queued)
  const starts = [...queued].flatMap(([id, atMs]) => {
    const arrivedMs = receiver.arrivedAt(id)
    return arrivedMs === undefined ? [] : [arrivedMs - atMs]
  })
  await db.deleteFrom('webhook_endpoint').execute()
  const kinds = Object.fromEntries(countKinds(accounts.map(({ kind }) => kind)))
  return {
    kinds,
    deliveries,
    queueSeconds,
    healthy: queued.size,
    missing: queued.size - starts.length,
    startMs: quantiles(starts),
  }
}

async function settle(queued: ReadonlyMap<string, number>): Promise<void> {
  const untilMs = Date.now() + SETTLE_MS
  while (Date.now() < untilMs && [...queued.keys()].some((id) => receiver.arrivedAt(id) === undefined))
    await sleep(SECOND_MS)
}

function quantiles(values: readonly number[]) {
  return {
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    p99: quantile(values, 0.99),
    max: quantile(values, 1),
  }
}

function countKinds(kinds: readonly EndpointKind[]): Map<EndpointKind, number> {
  const counts = new Map<EndpointKind, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
