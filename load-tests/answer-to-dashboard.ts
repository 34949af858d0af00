import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createKeyFor, send, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { startPlatform } from '../deploy/local/platform.ts'
import { load } from './bench/measure.ts'
import { percentile } from './bench/figures/summarize.ts'

/** Measures the delay until an answered request is counted in the dashboard's numbers, at a constant request rate. */
const { values } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    out: { type: 'string', default: 'docs/benchmarks/answer-to-dashboard.json' },
  },
})
const [PER_SECOND, SECONDS] = [Number(values['per-second']), Number(values.seconds)]
const PATH = '/api/v1/health'
const CONNECTIONS = 32
const PAUSE_MS = 500
const AIM_MS = 2_000
const TIMEOUT_MS = 60_000

const result = beginResult()
const dir = mkdtempSync(join(tmpdir(), 'answer-to-dashboard-'))
const generator = fork(join(import.meta.dirname, 'bench', 'load-generator.ts'), { serialization: 'advanced' })
const platform = await startPlatform({ dir })
const { gatewayUrl, ports, databaseUrls, addresses } = platform
try {
  const loadUser = await userWithoutLimits()
  const watched = await userWithoutLimits()
  const destination = { host: '127.0.0.1', port: ports.gateway, path: PATH, headers: { 'x-api-key': loadUser.apiKey } }
  const steady = { kind: 'open', seconds: SECONDS, connections: CONNECTIONS, perSecond: PER_SECOND } as const
  let isDone = false
  const served = load(generator, { name: 'gateway', destination }, steady).finally(() => (isDone = true))
  const seenAfterMs: number[] = []
  while (!isDone) {
    seenAfterMs.push(await untilSeen(watched, seenAfterMs.length + 1))
    await sleep(PAUSE_MS)
  }
  report(seenAfterMs, await served)
} finally {
  generator.disconnect()
  await platform.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

type TestUser = { apiKey: string; token: string }

async function userWithoutLimits(): Promise<TestUser> {
  const { user, jwtToken: token } = await signUpUser(gatewayUrl)
  await setLimits({ configDatabaseUrl: databaseUrls.config, redisUrl: addresses.redisUrl }, user.id, {})
  const { apiKey } = await createKeyFor(gatewayUrl, token)
  return { apiKey, token }
}

/** From the answer of one request to the answer of the dashboard's call that counts it. */
async function untilSeen({ apiKey, token }: TestUser, count: number): Promise<number> {
  const { status } = await send(gatewayUrl + PATH, { headers: { 'x-api-key': apiKey } })
  if (status !== 200) throw new Error(`${PATH} returned ${status}`)
  const answeredMs = performance.now()
  await waitUntil('it is counted', async () => (await usageOf(gatewayUrl, token)).total >= count, TIMEOUT_MS)
  return performance.now() - answeredMs
}

function report(seenAfterMs: readonly number[], { answered, p99Ms }: Awaited<ReturnType<typeof load>>): void {
  const sorted = seenAfterMs.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(percentile(sorted, share))
  const delays = { p50: at(50), p99: at(99), max: at(100) }
  console.log(
    `${answered} requests at ${PER_SECOND}/s answered, p99 ${p99Ms.toFixed(1)} ms; ${sorted.length} watched ones counted ` +
      `after p50 ${delays.p50}, p99 ${delays.p99}, max ${delays.max} ms (aim ${AIM_MS})`,
  )
  if (delays.p99 > AIM_MS) process.exitCode = 1
  result.write(values.out, {
    perSecond: PER_SECOND,
    answered,
    gatewayP99Ms: p99Ms,
    watched: sorted.length,
    seenAfterMs: delays,
  })
}
