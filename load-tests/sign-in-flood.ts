import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { pinTo } from './bench/figures/process-figures.ts'
import { redisPid } from './bench/figures/redis-figures.ts'
import { startGateway } from './bench/start-gateway.ts'
import { startOnCore, startProgram, stopChild } from './bench/start-program.ts'
import { median, percentile } from './bench/figures/summarize.ts'
import { type TimedAnswer, timedRequest } from './bench/timed-request.ts'
import { atRate, type Statuses, statusesOf } from './flood/at-rate.ts'
import { type FloodOrder, LOGIN } from './flood/guess-passwords.ts'

/** Measures the effect of a flood of sign-ins on data requests, and on sign-ins from a known device. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    out: { type: 'string', default: 'docs/benchmarks/sign-in-flood.json' },
  },
})
const ROUNDS = Number(values.rounds)
const SLICE_MS = Number(values.seconds) * 1_000
const SIGN_INS_PER_SECOND = 50
const DATA_PER_SECOND = 100
const ACCOUNTS = 200
const AIMS = { p99Ratio: 1.2, knownDeviceMs: 1_000 }
const DATA = '/api/v1/instruments'
/**
 * One core for identity, its database and the guesses; the other for gateway, Redis, the upstream service and the data
 * requests.
 */
const CORES = { gatewayCore: 0, otherCore: 1 }
const MANY = '10000000'
const env = { THROTTLE_SIGN_IN_PER_MINUTE: MANY, THROTTLE_SIGN_UP_PER_MINUTE: MANY }

const dir = mkdtempSync(join(tmpdir(), 'sign-in-flood-'))
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const stops: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })]
const result = beginResult()
try {
  const upstream = await startProgram('upstream.ts', CORES.gatewayCore)
  stops.push(() => upstream.stop())
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const gateway = await startGateway({ dir, upstreamUrl, path: DATA, env, ...CORES })
  await gateway.stopReaders()
  stops.push(
    () => gateway.stop(),
    () => agent.destroy(),
  )
  for (const pid of [process.pid, upstream.pid, await redisPid(gateway.redisUrl)]) pinTo(CORES.gatewayCore, pid)
  const guesser = startOnCore('../flood/guess-passwords.ts', CORES.otherCore)
  stops.push(() => stopChild(guesser))
  report(await measure(gateway, guesser))
} finally {
  for (const stop of stops.toReversed()) await stop()
}

type Target = { port: number; apiKey: string }
type Round = {
  quietP99Ms: number
  floodP99Ms: number
  knownDeviceMs: number[]
  /** Number of responses by status. For data requests and known devices, any status but 200 misses the target. */
  statuses: { quiet: Statuses; flood: Statuses; guesses: Statuses; knownDevice: Statuses }
}

async function measure(target: Target, guesser: ChildProcess): Promise<Round[]> {
  const url = `http://127.0.0.1:${target.port}`
  const owner = await signUpUser(url)
  const guessed = [owner.email]
  while (guessed.length < ACCOUNTS) guessed.push(`${crypto.randomUUID()}@example.com`)
  const readData = () => timedRequest({ port: target.port, path: DATA, agent, headers: { 'x-api-key': target.apiKey } })
  const flood = { port: target.port, emails: guessed, perSecond: SIGN_INS_PER_SECOND, forMs: SLICE_MS }
  const { email, password, deviceToken } = owner
  const credentials = { email, password, deviceToken }
  const signIn = () => timedRequest({ port: target.port, path: LOGIN, method: 'POST', body: credentials })
  await atRate(DATA_PER_SECOND, SLICE_MS / 2, readData)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await atRate(DATA_PER_SECOND, SLICE_MS, readData)
    const [flooded, guesses, signedIn] = await Promise.all([
      atRate(DATA_PER_SECOND, SLICE_MS, readData),
      floodSignIns(guesser, flood),
      atRate(1, SLICE_MS, signIn),
    ])
    rounds.push({
      quietP99Ms: p99Of(quiet),
      floodP99Ms: p99Of(flooded),
      knownDeviceMs: signedIn.map(({ ms }) => ms),
      statuses: {
        quiet: statusesOf(quiet),
        flood: statusesOf(flooded),
        guesses,
        knownDevice: statusesOf(signedIn),
      },
    })
    console.log(JSON.stringify(rounds.at(-1)))
    await wait(1_000)
  }
  return rounds
}

async function floodSignIns(guesser: ChildProcess, order: FloodOrder): Promise<Statuses> {
  guesser.send(order)
  // guess-passwords.ts sends messages of this type.
  const [statuses] = (await once(guesser, 'message')) as [Statuses]
  return statuses
}

/** Number of sign-ins and data requests with a status other than 200. */
function countRefused(statuses: Statuses[]): number {
  const others = statuses.flatMap((one) => Object.entries(one)).filter(([status]) => status !== '200')
  return others.reduce((sum, [, count]) => sum + count, 0)
}

function p99Of(answers: TimedAnswer[]): number {
  return percentile(
    answers.map(({ ms }) => ms).toSorted((one, other) => one - other),
    99,
  )
}

function report(rounds: Round[]): void {
  const p99Ratio = median(rounds.map(({ quietP99Ms, floodP99Ms }) => floodP99Ms / quietP99Ms))
  const signIns = rounds.flatMap(({ knownDeviceMs }) => knownDeviceMs)
  const knownDeviceMaxMs = Math.max(...signIns)
  console.log(`data requests, median of the ratios of p99: ${p99Ratio.toFixed(2)} (aim ${AIMS.p99Ratio})`)
  console.log(
    `${signIns.length} sign-ins from a known device, slowest ${knownDeviceMaxMs.toFixed(0)} ms (aim ${AIMS.knownDeviceMs})`,
  )
  const refused = {
    data: countRefused(rounds.flatMap(({ statuses: { quiet, flood } }) => [quiet, flood])),
    knownDevice: countRefused(rounds.map(({ statuses }) => statuses.knownDevice)),
  }
  console.log(`not answered with 200: ${refused.data} data requests, ${refused.knownDevice} known devices (aim 0)`)
  const isMet = p99Ratio <= AIMS.p99Ratio && knownDeviceMaxMs <= AIMS.knownDeviceMs
  const isWithinTargets = isMet && refused.data + refused.knownDevice === 0
  console.log(isWithinTargets ? 'met: the flood is within the targets' : 'missed: the flood exceeds the targets')
  if (!isWithinTargets) process.exitCode = 1
  const rates = { signInsPerSecond: SIGN_INS_PER_SECOND, dataPerSecond: DATA_PER_SECOND, sliceMs: SLICE_MS }
  result.write(values.out, { ...rates, p99Ratio, knownDeviceMaxMs, refused, rounds })
}
