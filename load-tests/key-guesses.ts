import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { type Platform, startPlatform } from '../deploy/local/platform.ts'
import { startProgram, stopChild } from './bench/start-program.ts'
import { timedRequest } from './bench/timed-request.ts'
import type { Statuses } from './flood/at-rate.ts'
import type { KeyGuesses } from './flood/guess-keys.ts'

/**
 * Measures the delay of a valid key that the gateway has not cached while other clients guess keys from the same
 * address.
 */
const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '20' },
    starts: { type: 'string', default: '3' },
    out: { type: 'string', default: 'docs/benchmarks/key-guesses.json' },
  },
})
const KEYS = Number(values.keys)
const STARTS = Number(values.starts)
const GUESSES_PER_SECOND = [500, 1_000]
const AIM_MS = 1_000
const PATH = '/api/v1/instruments'
/** A request without a key, for comparison: it has the same CPU queueing but no lookup. */
const CONTROL_PATH = '/api/v1/health'
const BETWEEN_KEYS_MS = 500
const FLOOD_BEGINS_MS = 2_000
const RESTART_WITHIN_MS = 15_000
const OTHER_CORE = 1
const THROTTLE_SIGN_UP_PER_MINUTE = '10000000'

type Admission = { status: number; ms: number; controlMs: number }
type Row = { guessesPerSecond: number; running: Admission[]; afterStart: Admission[]; guesses: Statuses[] }

const dir = mkdtempSync(join(tmpdir(), 'key-guesses-'))
const stops: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })]
const result = beginResult()
try {
  const upstream = await startProgram('upstream.ts', OTHER_CORE)
  stops.push(() => upstream.stop())
  const gateway = { THROTTLE_SIGN_UP_PER_MINUTE, MARKET_DATA_URL: `http://127.0.0.1:${upstream.port}` }
  const only = ['identity', 'api-key', 'audit', 'config', 'gateway']
  const platform = await startPlatform({ dir, env: { gateway }, only, isRestarting: false })
  stops.push(() => platform.stop())
  const guesser = fork(join(import.meta.dirname, 'flood', 'guess-keys.ts'))
  stops.push(() => stopChild(guesser))
  const rows: Row[] = []
  for (const perSecond of GUESSES_PER_SECOND) rows.push(await measure(platform, guesser, perSecond))
  report(rows)
} finally {
  for (const stop of stops.toReversed()) await stop()
}

async function measure(platform: Platform, guesser: ChildProcess, perSecond: number): Promise<Row> {
  const keys: string[] = []
  while (keys.length < KEYS + STARTS) {
    const { jwtToken } = await signUpUser(platform.gatewayUrl)
    keys.push((await createKeyFor(platform.gatewayUrl, jwtToken)).apiKey)
  }
  const flood = { port: platform.ports.gateway, path: PATH, perSecond }
  const running: Admission[] = []
  const guesses = [guess(guesser, { ...flood, forMs: FLOOD_BEGINS_MS + KEYS * AIM_MS })]
  await wait(FLOOD_BEGINS_MS)
  for (const apiKey of keys.slice(0, KEYS)) {
    running.push(await admission(platform, apiKey))
    await wait(BETWEEN_KEYS_MS)
  }
  await guesses[0]
  const afterStart: Admission[] = []
  for (const apiKey of keys.slice(KEYS)) {
    const statuses = guess(guesser, { ...flood, forMs: RESTART_WITHIN_MS })
    guesses.push(statuses)
    await wait(FLOOD_BEGINS_MS)
    await platform.kill('gateway')
    await platform.restart('gateway')
    afterStart.push(await admission(platform, apiKey))
    await statuses
  }
  const row = { guessesPerSecond: perSecond, running, afterStart, guesses: await Promise.all(guesses) }
  console.log(JSON.stringify(row))
  return row
}

async function admission({ ports }: Platform, apiKey: string): Promise<Admission> {
  const { gateway: port } = ports
  const [{ status, ms }, control] = await Promise.all([
    timedRequest({ port, path: PATH, headers: { 'x-api-key': apiKey } }),
    timedRequest({ port, path: CONTROL_PATH }),
  ])
  return { status, ms: Math.round(ms), controlMs: Math.round(control.ms) }
}

async function guess(guesser: ChildProcess, order: KeyGuesses): Promise<Statuses> {
  guesser.send(order)
  // guess-keys.ts sends nothing else.
  const [statuses] = (await once(guesser, 'message')) as [Statuses]
  return statuses
}

function report(rows: Row[]): void {
  const admissions = rows.flatMap(({ running, afterStart }) => [...running, ...afterStart])
  const notAdmitted = admissions.filter(({ status }) => status !== 200).length
  const slowestMs = Math.max(...admissions.map(({ ms }) => ms))
  const lookUpMaxMs = Math.max(...admissions.map(({ ms, controlMs }) => ms - controlMs))
  const isMet = notAdmitted === 0 && lookUpMaxMs <= AIM_MS
  console.log(`${admissions.length} valid keys, ${notAdmitted} not admitted, slowest ${slowestMs} ms`)
  console.log(`at most ${lookUpMaxMs} ms longer than a request without a key at that moment (aim ${AIM_MS})`)
  if (!isMet) process.exitCode = 1
  result.write(values.out, { aimMs: AIM_MS, isMet, notAdmitted, slowestMs, lookUpMaxMs, rows })
}
