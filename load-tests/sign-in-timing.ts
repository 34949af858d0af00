import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { signUpUser } from '@tapeline/testing/api-client'
import { startPlatform } from '../deploy/local/platform.ts'
import { permutationTest } from './bench/figures/permutation-test.ts'
import { percentile } from './bench/figures/summarize.ts'
import { loopbackAddress, timedRequest } from './bench/timed-request.ts'

/**
 * Does the time of an answer reveal whether an e-mail has an account? Interleaved pairs, each from a different address.
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '500' },
    out: { type: 'string', default: 'docs/benchmarks/sign-in-timing.json' },
  },
})
const PAIRS = Number(values.pairs)
const WARM_UP = 20
const ACCOUNTS = 20
const ROUNDS = 10_000
/** Significance level: a smaller p is reported as a difference. */
const P_MIN = 0.01
const CALLS = ['login', 'forgot-password'] as const
const MANY = '10000000'
const gateway = {
  THROTTLE_SIGN_IN_PER_MINUTE: MANY,
  THROTTLE_SIGN_UP_PER_MINUTE: MANY,
  THROTTLE_ACCOUNT_PER_MINUTE: MANY,
}
const identity = { SIGN_IN_TRIES_PER_ACCOUNT: MANY, SIGN_IN_TRIES_PER_PAIR: MANY }

let sent = 0
const dir = mkdtempSync(join(tmpdir(), 'sign-in-timing-'))
const loadBefore = loadavg()
const platform = await startPlatform({ dir, env: { gateway, identity }, only: ['identity', 'config', 'gateway'] })
try {
  const registered: string[] = []
  for (let n = 0; n < ACCOUNTS; n += 1) registered.push((await signUpUser(platform.gatewayUrl)).email)
  const rows = []
  for (const call of CALLS) rows.push(await compare(call, registered))
  report(rows)
} finally {
  await platform.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function send(call: (typeof CALLS)[number], email: string): Promise<{ ms: number; answer: string }> {
  const password = { password: 'not the password' }
  const { status, ms, text } = await timedRequest({
    port: platform.ports.gateway,
    path: `/api/v1/internal/user/${call}`,
    method: 'POST',
    body: { email, ...(call === 'login' ? password : {}) },
    localAddress: loopbackAddress((sent += 1)),
  })
  return { ms, answer: `${status} ${text.replace(/"request_id":"[0-9a-f]{32}"/, '')}` }
}

async function compare(call: (typeof CALLS)[number], registered: readonly string[]) {
  const pairs: [number, number][] = []
  const answers = new Set<string>()
  for (let n = -WARM_UP; n < PAIRS; n += 1) {
    const knownFirst = Math.random() < 0.5
    const unknown = () => send(call, `${crypto.randomUUID()}@example.com`)
    const ofKnown = () => send(call, registered[Math.abs(n) % registered.length] ?? '')
    const first = await (knownFirst ? ofKnown() : unknown())
    const second = await (knownFirst ? unknown() : ofKnown())
    if (n < 0) continue
    pairs.push(knownFirst ? [first.ms, second.ms] : [second.ms, first.ms])
    for (const { answer } of [first, second]) answers.add(answer)
  }
  const medianOf = (side: 0 | 1) =>
    percentile(
      pairs.map((pair) => pair[side]).toSorted((a, b) => a - b),
      50,
    )
  const { meanDifference, p } = permutationTest(pairs, { rounds: ROUNDS, random: Math.random })
  return {
    call,
    pairs: pairs.length,
    differentAnswers: answers.size,
    knownMedianMs: medianOf(0),
    unknownMedianMs: medianOf(1),
    meanDifferenceMs: meanDifference,
    p,
  }
}

function report(rows: Awaited<ReturnType<typeof compare>>[]): void {
  for (const { call, knownMedianMs, unknownMedianMs, meanDifferenceMs, p, differentAnswers } of rows) {
    const medians = `known ${knownMedianMs.toFixed(2)} ms, unknown ${unknownMedianMs.toFixed(2)} ms`
    console.log(
      `${call}: ${medians}, mean difference ${meanDifferenceMs.toFixed(3)} ms, p = ${p.toFixed(3)}, ${differentAnswers} answer(s)`,
    )
    if (p < P_MIN || differentAnswers !== 1) process.exitCode = 1
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const loadAverage = { before: loadBefore, after: loadavg() }
  const result = {
    at: new Date().toISOString(),
    commit,
    node: process.version,
    processor: cpus()[0]?.model,
    loadAverage,
    rows,
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`raw results: ${values.out}`)
}
