import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { startPlatform } from '../deploy/local/platform.ts'
import { mannWhitneyP } from './bench/figures/mann-whitney.ts'
import { startProgram } from './bench/start-program.ts'
import { percentile } from './bench/figures/summarize.ts'
import { loopbackAddress, timedRequest } from './bench/timed-request.ts'
import { unknownKey } from './lib/unknown-key.ts'

/** Does the time of a 401 reveal whether a key id exists? Interleaved pairs in random order, each from a different address. */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '500' },
    out: { type: 'string', default: 'docs/benchmarks/key-timing.json' },
  },
})
const PAIRS = Number(values.pairs)
const WARM_UP = 50
const KEYS = 10
const P_MIN = 0.01
const MEANS_APART_MAX_MS = 0.1
const PATH = '/api/v1/instruments'
const OTHER_CORE = 1
const THROTTLE_SIGN_UP_PER_MINUTE = '10000000'
/** The key id is in the cache of the gateway, or only in the database of api-key. */
const KINDS = ['used before', 'not used before'] as const

let sent = 0
const dir = mkdtempSync(join(tmpdir(), 'key-timing-'))
const stops: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })]
const result = beginResult()
try {
  const upstream = await startProgram('upstream.ts', OTHER_CORE)
  stops.push(() => upstream.stop())
  const gateway = { THROTTLE_SIGN_UP_PER_MINUTE, MARKET_DATA_URL: `http://127.0.0.1:${upstream.port}` }
  const only = ['identity', 'api-key', 'audit', 'config', 'gateway']
  const platform = await startPlatform({ dir, env: { gateway }, only, isRestarting: false })
  stops.push(() => platform.stop())
  const port = platform.ports.gateway
  const rows = []
  for (const kind of KINDS) {
    const kids: string[] = []
    while (kids.length < KEYS) {
      const { jwtToken } = await signUpUser(platform.gatewayUrl)
      const { apiKey } = await createKeyFor(platform.gatewayUrl, jwtToken)
      if (kind === 'used before') await send(port, apiKey)
      kids.push(apiKey.split('_')[2] ?? '')
    }
    rows.push({ kind, ...(await compare(port, kids)) })
  }
  report(rows)
} finally {
  for (const stop of stops.toReversed()) await stop()
}

async function send(port: number, apiKey: string): Promise<{ ms: number; answer: string }> {
  const localAddress = loopbackAddress((sent += 1))
  const { status, ms, text } = await timedRequest({ port, path: PATH, headers: { 'x-api-key': apiKey }, localAddress })
  return { ms, answer: `${status} ${text.replace(/"request_id":"[0-9a-f]{32}"/, '')}` }
}

async function compare(port: number, kids: readonly string[]) {
  const [wrongSecret, unknownKid]: [number[], number[]] = [[], []]
  const answers = new Set<string>()
  for (let n = -WARM_UP; n < PAIRS; n += 1) {
    const pair = [
      { times: wrongSecret, apiKey: unknownKey(kids[Math.abs(n) % kids.length]) },
      { times: unknownKid, apiKey: unknownKey() },
    ]
    if (Math.random() < 0.5) pair.reverse()
    for (const { times, apiKey } of pair) {
      const { ms, answer } = await send(port, apiKey)
      if (n < 0) continue
      times.push(ms)
      answers.add(answer)
    }
  }
  const figures = (times: number[]) => ({
    medianMs: percentile(
      times.toSorted((a, b) => a - b),
      50,
    ),
    meanMs: times.reduce((sum, ms) => sum + ms, 0) / times.length,
  })
  const p = mannWhitneyP(wrongSecret, unknownKid)
  const of = { wrongSecret: figures(wrongSecret), unknownKid: figures(unknownKid) }
  return { pairs: PAIRS, differentAnswers: answers.size, ...of, p }
}

function report(rows: ({ kind: string } & Awaited<ReturnType<typeof compare>>)[]): void {
  for (const { kind, wrongSecret, unknownKid, p, differentAnswers } of rows) {
    const apartMs = Math.abs(wrongSecret.meanMs - unknownKid.meanMs)
    const medians = `wrong secret ${wrongSecret.medianMs.toFixed(2)} ms, unknown key id ${unknownKid.medianMs.toFixed(2)} ms`
    console.log(`${kind}: ${medians}, means ${apartMs.toFixed(3)} ms apart, p = ${p.toFixed(3)}`)
    if ((p <= P_MIN && apartMs > MEANS_APART_MAX_MS) || differentAnswers !== 1) process.exitCode = 1
  }
  result.write(values.out, { aim: { p: P_MIN, meansApartMs: MEANS_APART_MAX_MS }, rows })
}
