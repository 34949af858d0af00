import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyFor, signIn, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { startArrivals } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import { readAlerts, readQueries } from '../../deploy/observability/read-metrics.ts'
import { pause } from '../chaos/drill.ts'
import { type Fault, FAULTS, GATEWAY_ENV, ONE_FAILED_IN, type Scene } from './faults.ts'
import { startFaultyUpstream } from './faulty-upstream.ts'
import { measurePageDelay, type PageDelay } from './page-delay.ts'
import { findPrograms, type Programs, startWatchers, type Watchers } from './watchers.ts'

// npm run verify:observability [-- --only <part of a fault's name>] [--seconds <n>: starts no fault after that] [--watched <n>]
// Prometheus and Alertmanager watch a running platform under load: every fault fires its alerts and no others, every panel has
// data. At the end, with the durations of the product and after `--watched` seconds, an outage pages (0: not measured).
// The result is docs/benchmarks/observability.json.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const FILE = join('docs', 'benchmarks', 'observability.json')
const PROCESSES = ['config', 'identity', 'api-key', 'audit', 'market-data', 'gateway', 'mail']
const REQUESTS_PER_SECOND = 20
const READY_WITHIN_MS = 120_000
/** The objective of a data request. */
const FAST_MS = 100
const STEADY_MS = 10_000
const STEADY_WITHIN_MS = 120_000
/** Longer than the longest shortened wait (15 s) and the windows of the fast alerts. */
const QUIET_MS = 16_000
const UNLIMITED_S = 86_400
const FIRES_WITHIN_MS = 90_000
const RESOLVES_WITHIN_MS = 180_000
const PAGES_WITHIN_S = 120
/** After an alert fired, others that the same fault causes have this long to show. */
const OTHERS_WITHIN_MS = 6_000
const POLL_MS = 500
const PANEL_TRIES = 20

type FaultResult = {
  fault: string
  expected: string[]
  fired: string[]
  unexpected: string[]
  missing: string[]
  firedAfterSeconds: number
  resolvedAfterSeconds: number | null
  /** Whether Alertmanager delivered the notices to the receiver. */
  delivered: boolean
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: String(UNLIMITED_S) },
    watched: { type: 'string', default: '300' },
  },
})
const programs = findPrograms()
if (programs === undefined) {
  console.log('skipped  Prometheus and Alertmanager are not on the PATH (Debian: prometheus, prometheus-alertmanager).')
  process.exit(0)
}
const startedAt = new Date()
const adminPort = await takeFreePort()
const marketData = await startFaultyUpstream()
const platform = await startTestPlatform({
  servers: process.env,
  env: {
    gateway: { ...GATEWAY_ENV, ADMIN_PORT: String(adminPort), MARKET_DATA_URL: `http://127.0.0.1:${marketData.port}` },
  },
  only: PROCESSES,
})
try {
  marketData.pointAt(platform.serviceUrls['market-data'])
  const hostOf = (url: string): string => new URL(url).host
  const services = Object.entries(platform.serviceUrls).map(([name, url]) => [name, hostOf(url)])
  const targets: Record<string, string> = { ...Object.fromEntries(services), gateway: `127.0.0.1:${adminPort}` }
  await verifyAll(platform, programs, targets)
} finally {
  await platform.stop()
  marketData.stop()
}

async function verifyAll(running: TestPlatform, found: Programs, targets: Record<string, string>): Promise<void> {
  const account = await waitUntil('sign-up works', () => signUpUser(running.gatewayUrl), READY_WITHIN_MS)
  await setLimits(
    { configDatabaseUrl: running.databaseUrls.config, redisUrl: running.addresses.redisUrl },
    account.user.id,
    {},
  )
  const { apiKey } = await createKeyFor(running.gatewayUrl, account.jwtToken)
  let lastSlowAt = Date.now()
  const load = startArrivals({
    urls: running.gatewayUrls,
    key: apiKey,
    perSecond: REQUESTS_PER_SECOND,
    onAnswer({ startMs, endMs }) {
      if (endMs - startMs > FAST_MS) lastSlowAt = endMs
    },
  })
  await signIn(running.gatewayUrl, account)
  await usageOf(running.gatewayUrl, account.jwtToken)
  // Prometheus starts after the slow requests of processes that have just started.
  await waitUntil('requests are fast', () => Date.now() - lastSlowAt > STEADY_MS, STEADY_WITHIN_MS).catch(() =>
    console.log('this machine does not serve the load steadily'),
  )
  const watchers = await startWatchers(found, { dir: join(running.dir, 'watchers'), targets, durations: 'shortened' })
  const faults = await watchFaults({ platform: running, account, apiKey, marketData }, watchers).finally(watchers.stop)
  const watchedMs = Number(values.watched) * 1_000
  const dir = join(running.dir, 'page-delay')
  const page =
    watchedMs === 0 ? undefined : await measurePageDelay(found, { platform: running, dir, targets, watchedMs })
  await load.stop()
  report({ ...faults, page })
}

/** Every fault in turn, then the queries of all panels. */
async function watchFaults(scene: Scene, watchers: Watchers): Promise<Omit<Found, 'page'>> {
  const results: FaultResult[] = []
  await pause(QUIET_MS)
  const background = await watchers.firing()
  console.log(`before any fault: ${background.join(', ') || 'no alert'}`)
  for (const fault of FAULTS.filter(({ name }) => name.includes(values.only))) {
    if (Date.now() - startedAt.getTime() > Number(values.seconds) * 1_000) break
    results.push(await observe(fault, scene, { watchers, background }))
  }
  const panels = readQueries()
  let empty = panels
  for (let tries = 0; tries < PANEL_TRIES && empty.length > 0; tries += 1) {
    // The share of failed sign-ins needs sign-ins within its window.
    await signIn(scene.platform.gatewayUrl, scene.account)
    await pause(POLL_MS)
    const found = await Promise.all(empty.map(async (one) => ({ one, values: await watchers.query(one.expr) })))
    empty = found.filter((each) => each.values.length === 0).map(({ one }) => one)
  }
  const named = empty.map(({ where, expr }) => `${where}: ${expr}`)
  return { background, results, panels: { queries: panels.length, empty: named } }
}

async function observe(
  fault: Fault,
  scene: Scene,
  { watchers, background }: { watchers: Watchers; background: string[] },
): Promise<FaultResult> {
  const stop = new AbortController()
  const since = Date.now()
  const fired = new Set<string>()
  /** Slow alerts of an earlier fault may still fire. */
  const before = new Set(await watchers.firing())
  const note = async (): Promise<string[]> => {
    await pause(POLL_MS)
    const now = (await watchers.firing()).filter((name) => !before.has(name))
    for (const name of now) fired.add(name)
    return now
  }
  const expected = fault.fires.filter((name) => !background.includes(name))
  const cause = fault.cause(scene, stop.signal)
  const isComplete = async () => {
    await note()
    return expected.every((name) => fired.has(name))
  }
  await waitUntil(`${expected.join(', ')} fire`, isComplete, FIRES_WITHIN_MS).catch(() => undefined)
  const firedAfterMs = Date.now() - since
  const others = Date.now() + (fault.lastsMs ?? OTHERS_WITHIN_MS)
  while (Date.now() < others) await note()
  stop.abort()
  await cause
  const repairedAt = Date.now()
  const isQuiet = async () => fault.isLasting === true || !(await note()).some((name) => fault.fires.includes(name))
  const resolved = await waitUntil('alerts are resolved', isQuiet, RESOLVES_WITHIN_MS).catch(() => undefined)
  const delivered = watchers.notices.filter(({ status, atMs }) => status === 'firing' && atMs >= since)
  const result: FaultResult = {
    fault: fault.name,
    expected,
    fired: [...fired].toSorted(),
    unexpected: [...fired].filter((name) => !fault.fires.includes(name) && !(fault.follows ?? []).includes(name)),
    missing: expected.filter((name) => !fired.has(name)),
    firedAfterSeconds: Math.round(firedAfterMs / 1_000),
    resolvedAfterSeconds: resolved === undefined ? null : Math.round((Date.now() - repairedAt) / 1_000),
    delivered: (fault.notifies ?? expected).every((name) => delivered.some(({ alert }) => alert === name)),
  }
  const isOk = passes(result)
  console.log(`${isOk ? 'ok      ' : 'FAILED  '} ${fault.name}: ${result.fired.join(', ') || 'no alert'}`)
  await pause(QUIET_MS)
  return result
}

function passes({ unexpected, missing, resolvedAfterSeconds, delivered }: FaultResult): boolean {
  return unexpected.length === 0 && missing.length === 0 && resolvedAfterSeconds !== null && delivered
}

type Found = {
  background: string[]
  results: FaultResult[]
  panels: { queries: number; empty: string[] }
  page: PageDelay | undefined
}

function report(found: Found): void {
  const caused = new Set(FAULTS.flatMap(({ fires }) => fires))
  const isPagedInTime = found.page === undefined || found.page.afterSeconds <= PAGES_WITHIN_S
  const passed = found.results.every(passes) && found.panels.empty.length === 0 && isPagedInTime
  const ran = new Set(found.results.map(({ fault }) => fault))
  const result = {
    at: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim(),
    node: process.version,
    cores: availableParallelism(),
    loadAverage: loadavg(),
    durations: 'windows and waits of the rules divided by 60, scraped every second',
    requestsPerSecond: REQUESTS_PER_SECOND,
    held: passed,
    alertsBeforeAnyFault: found.background,
    panels: found.panels,
    faults: found.results,
    rareErrors: { oneIn: ONE_FAILED_IN, failed: marketData.failed() },
    page: found.page ?? null,
    faultsNotRun: FAULTS.map(({ name }) => name).filter((name) => !ran.has(name)),
    alertsWithoutALiveFault: readAlerts()
      .map(({ alert }) => alert)
      .filter((alert) => !caused.has(alert)),
  }
  writeFileSync(join(ROOT_DIR, FILE), `${JSON.stringify(result, null, 2)}\n`)
  const { queries, empty } = found.panels
  console.log(`panels: ${queries - empty.length} of ${queries} queries have data`)
  for (const one of empty) console.log(`  no data: ${one}`)
  if (found.page !== undefined) console.log(`paged by ${found.page.alert} after ${found.page.afterSeconds} s`)
  console.log(`${passed ? 'all checks passed' : 'FAILED'}; written to ${FILE}`)
  process.exitCode = passed ? 0 : 1
}
