import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fault, startFaultProxy } from '@tapeline/testing/fault-proxy'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { startGateway } from './start-gateway.ts'
import { startProgram } from './start-program.ts'
import { percentile } from './figures/summarize.ts'

/**
 * Measures the latency added by a Redis that refuses connections or never answers, for the first requests and for later
 * ones.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    requests: { type: 'string', default: '200' },
    out: { type: 'string', default: 'docs/benchmarks/degraded.json' },
  },
})
const ROUNDS = Number(values.rounds)
const REQUESTS = Number(values.requests)
const CLIENTS = 8
const PATH = '/api/v1/instruments'
const CORES = { gatewayCore: 0, otherCore: 1 }
const RECOVERED_WITHIN_MS = 30_000
const AIMS_MS = { 'hung, before detection': 50, 'hung, after detection': 2, refused: 2 }

type TimedAnswer = { ms: number; isDegraded: boolean }
type Phase = 'Redis decides' | keyof typeof AIMS_MS

const dir = mkdtempSync(join(tmpdir(), 'degraded-bench-'))
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
const stops: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })]
const loadBefore = loadavg()
try {
  const redis = await RedisServer.start(join(dir, 'own-redis'))
  stops.push(() => redis.stop())
  const wire = await startFaultProxy(redis.url)
  stops.push(() => wire.stop())
  const upstream = await startProgram('upstream.ts', CORES.otherCore)
  stops.push(() => upstream.stop())
  const env = { REDIS_URL: `redis://127.0.0.1:${wire.port}` }
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const gateway = await startGateway({ dir, upstreamUrl, path: PATH, env, ...CORES })
  stops.push(
    () => gateway.stop(),
    () => agent.destroy(),
  )
  report(await measure(gateway, (fault) => wire.setFault(fault)))
} finally {
  for (const stop of stops.toReversed()) await stop()
}

type Target = { port: number; apiKey: string }

async function measure(target: Target, setFault: (fault: Fault) => void): Promise<Map<Phase, number[]>> {
  const found = new Map<Phase, number[]>()
  const note = (phase: Phase, answers: TimedAnswer[]) =>
    found.set(phase, [...(found.get(phase) ?? []), ...answers.map(({ ms }) => ms)])
  await sendMany(target, REQUESTS * 5)
  for (let round = 0; round < ROUNDS; round += 1) {
    await untilRecovered(target)
    note('Redis decides', await sendMany(target, REQUESTS))
    setFault('hang')
    // Sent at the same time, before the gateway has detected the failure.
    note('hung, before detection', await Promise.all(Array.from({ length: CLIENTS }, () => sendRequest(target))))
    note('hung, after detection', expectDegraded(await sendMany(target, REQUESTS)))
    setFault('refuse')
    await sendRequest(target)
    note('refused', expectDegraded(await sendMany(target, REQUESTS)))
    setFault('pass')
  }
  return found
}

async function untilRecovered(target: Target): Promise<void> {
  const untilMs = Date.now() + RECOVERED_WITHIN_MS
  while ((await sendRequest(target)).isDegraded)
    if (Date.now() > untilMs) throw new Error('Redis does not decide again')
}

/** Clients that each send one request after the other. */
async function sendMany(target: Target, requests: number): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = []
  const client = async () => {
    while (answers.length < requests) answers.push(await sendRequest(target))
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return answers
}

function expectDegraded(answers: TimedAnswer[]): TimedAnswer[] {
  if (!answers.every(({ isDegraded }) => isDegraded)) throw new Error('Redis decided although it was unavailable')
  return answers
}

function sendRequest({ port, apiKey }: Target): Promise<TimedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TimedAnswer>()
  const startMs = performance.now()
  const options = { host: '127.0.0.1', port, path: PATH, agent, headers: { 'x-api-key': apiKey } }
  const request = send(options, (response) => {
    response.resume()
    response.on('end', () => {
      const isDegraded = response.headers['x-ratelimit-policy'] === 'degraded'
      if (response.statusCode === 200) resolve({ ms: performance.now() - startMs, isDegraded })
      else reject(new Error(`the gateway returned ${response.statusCode}`))
    })
  })
  request.on('error', reject)
  request.end()
  return promise
}

function report(found: Map<Phase, number[]>): void {
  const figures = [...found].map(([phase, latencies]) => {
    const sorted = latencies.toSorted((one, other) => one - other)
    return { phase, requests: sorted.length, p50Ms: percentile(sorted, 50), p99Ms: percentile(sorted, 99) }
  })
  const usual = figures.find(({ phase }) => phase === 'Redis decides')
  const rows = figures.map((one) => ({
    ...one,
    addedP50Ms: one.p50Ms - (usual?.p50Ms ?? 0),
    addedP99Ms: one.p99Ms - (usual?.p99Ms ?? 0),
    aimMs: one.phase === 'Redis decides' ? null : AIMS_MS[one.phase],
  }))
  for (const { phase, p50Ms, p99Ms, addedP50Ms, addedP99Ms, aimMs } of rows) {
    const added = `added ${addedP50Ms.toFixed(2)} / ${addedP99Ms.toFixed(2)} ms (aim ${aimMs ?? '-'})`
    console.log(`${phase.padEnd(30)} p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms  ${added}`)
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model,
    loadAverage: { before: loadBefore, after: loadavg() },
  }
  mkdirSync(dirname(values.out), { recursive: true })
  const result = { at: new Date().toISOString(), commit, ...machine, rounds: ROUNDS, clients: CLIENTS, rows }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`\nraw results: ${values.out}`)
}
