import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { setLimits } from '@tapeline/testing/set-subscription'
import { takeFreePort } from '../deploy/local/ports/free-port.ts'
import { type Platform, startPlatform } from '../deploy/local/platform.ts'
import { load, loadAnyway } from './bench/measure.ts'
import { type Growth, growthOf } from './run/growth.ts'
import { readRowSize } from './run/read-row-size.ts'
import { type Watched, watchProcesses } from './run/watch-processes.ts'

/** Measures whether memory or descriptors grow while the platform serves 60 % of its maximum rate. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    share: { type: 'string', default: '0.6' },
    /** Requests per second, instead of a share of the measured maximum. */
    'per-second': { type: 'string' },
    out: { type: 'string', default: 'docs/benchmarks/soak.json' },
  },
})
const PATH = '/api/v1/instruments'
const AIMS = { rssMbPerMinute: 1, descriptorsPerMinute: 0.5, loopP99Ms: 20, refusedShare: 0.001 }
/** Ten minutes are more than a million requests. */
const NEVER_REACHED = { requestsPerHour: 100_000_000, requestsPerDay: 100_000_000, requestsPerMonth: 100_000_000 }
const CONNECTIONS = 32
const SAMPLE_INTERVAL_MS = 10_000
const SLICE_SECONDS = 20
const MOST_SECONDS = 15
const [minutes, share] = [Number(values.minutes), Number(values.share)]

if (process.platform !== 'linux') throw new Error('the soak reads /proc: it needs Linux')
const result = beginResult()
const dir = mkdtempSync(join(tmpdir(), 'tapeline-soak-'))
const generator = fork(join(import.meta.dirname, 'bench', 'load-generator.ts'), { serialization: 'advanced' })
const adminPort = await takeFreePort()
const env = { gateway: { ADMIN_PORT: String(adminPort), LIMITER_REPLY_WITHIN_MS: '1000' } }
const platform = await startPlatform({ dir, env, servers: process.env, ...separateServers() })
try {
  const headers = { 'x-api-key': await keyWithoutLimits(platform) }
  const target = { name: 'soak', destination: { host: '127.0.0.1', port: platform.ports.gateway, path: PATH, headers } }
  const perSecond = await chooseRate(target)
  const watch = watchProcesses(processesOf(platform), SAMPLE_INTERVAL_MS)
  let answered = 0
  let refused = 0
  const p99s: number[] = []
  for (let seconds = 0; seconds < minutes * 60; seconds += SLICE_SECONDS) {
    const slice = await loadAnyway(generator, target, {
      kind: 'open',
      seconds: SLICE_SECONDS,
      connections: CONNECTIONS,
      perSecond,
    })
    answered += slice.answered
    refused += slice.answered - (slice.statuses['200'] ?? 0)
    p99s.push(slice.p99Ms)
    process.stderr.write(`${seconds + SLICE_SECONDS} s: ${answered} answered, p99 ${slice.p99Ms.toFixed(1)} ms\n`)
  }
  await watch.stop()
  const storage = (await readRowSize(platform.databaseUrls.audit)) ?? null
  report(
    [...watch.samples].map(([name, samples]) => growthOf(name, samples, AIMS)),
    { minutes, share, perSecond, answered, refused, p99Ms: { max: Math.max(...p99s), all: p99s }, storage },
  )
} finally {
  generator.disconnect()
  await platform.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

/** Separate names of databases and topics, for servers shared with other programs. */
function separateServers() {
  const run = crypto.randomUUID().slice(0, 8)
  return { databasePrefix: `soak${run}_`, topicPrefix: `soak${run}-` }
}

async function keyWithoutLimits({ gatewayUrl, databaseUrls, addresses }: Platform): Promise<string> {
  const { user, jwtToken } = await signUpUser(gatewayUrl)
  await setLimits({ configDatabaseUrl: databaseUrls.config, redisUrl: addresses.redisUrl }, user.id, NEVER_REACHED)
  return (await createKeyFor(gatewayUrl, jwtToken)).apiKey
}

/** The configured share of the platform's maximum rate on this machine. */
async function chooseRate(target: Parameters<typeof load>[1]): Promise<number> {
  if (values['per-second'] !== undefined) return Number(values['per-second'])
  const busy = { kind: 'closed', seconds: MOST_SECONDS, connections: CONNECTIONS } as const
  await load(generator, target, busy)
  const { answered, seconds } = await load(generator, target, busy)
  const most = answered / seconds
  process.stderr.write(`${most.toFixed(0)} requests per second at most\n`)
  return Math.max(1, Math.floor(share * most))
}

function processesOf({ processes, serviceUrls, gatewayUrl }: Platform): Watched[] {
  const metricsOf = (name: string, url: string) => {
    if (url === gatewayUrl) return `http://127.0.0.1:${adminPort}/metrics`
    return name in serviceUrls ? `${url}/metrics` : undefined
  }
  return processes.flatMap(({ name, url, pid }) => {
    const running = pid()
    return running === undefined ? [] : [{ name, pid: running, metricsUrl: metricsOf(name, url) }]
  })
}

type Served = { answered: number; refused: number; [figure: string]: unknown }

function report(growths: Growth[], served: Served): void {
  for (const { name, rssMbPerMinute, descriptorsPerMinute, rssMb, loopP99Ms, held } of growths) {
    const loop =
      loopP99Ms === null ? '' : `, loop p99 ${loopP99Ms.p50.toFixed(1)} ms (at most ${loopP99Ms.max.toFixed(1)})`
    console.log(
      `${held ? 'met     ' : 'VIOLATED'} ${name.padEnd(12)} ${rssMbPerMinute.toFixed(2)} MB/min (${rssMb.first.toFixed(0)} → ` +
        `${rssMb.last.toFixed(0)}), descriptors ${descriptorsPerMinute.toFixed(2)}/min${loop}`,
    )
  }
  const { answered, refused } = served
  console.log(`${answered} answers, ${refused} of them not 200`)
  const held = growths.every((one) => one.held) && refused <= AIMS.refusedShare * answered
  result.write(values.out, { aims: AIMS, ...served, held, growths })
  if (!held) process.exitCode = 1
}
