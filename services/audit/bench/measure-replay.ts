import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { AccountReplay } from '../src/replay/replay-account.ts'
import type { RecordedRequest } from '../src/replay/recorded-request.ts'
import { RollingLimits } from '../src/replay/rolling-limits.ts'
import { print, runContext } from './scratch.ts'

// node services/audit/bench/measure-replay.ts [--requests 1000000]: decisions of the replay per second of virtual time, in one
// process, without reading rows. Each request is decided twice: with the recorded limits and with the proposed ones.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    out: { type: 'string', default: 'docs/benchmarks/limits-replay.json' },
  },
})
const requests = Number(values.requests)
const ACCOUNTS = 200
const RUNS = 5
const FROM_MS = Date.UTC(2026, 10, 1)
const MONTH_END_MS = FROM_MS + 30 * 86_400_000
const BURST = 20
const GAP_MS = 50
const PAUSE_MS = 4_000
const LIMITS = [18, 280, 15_000, 200_000, 1_000_000, 20]
const PROPOSAL = { tier: 'pro', rateLimits: { burstLimit: 12, requestsPerMinute: 150 }, fromMs: FROM_MS }

const traffic = recordTraffic()
const rates: number[] = []
const wallRates: number[] = []
for (let run = 0; run < RUNS; run += 1) {
  const accounts = Array.from({ length: ACCOUNTS }, () => new AccountReplay(PROPOSAL))
  const [startedMs, startedCpu] = [performance.now(), process.cpuUsage()]
  let [rejected, different] = [0, 0]
  for (const [n, request] of traffic.entries()) {
    const again = accounts[n % ACCOUNTS]?.decide(request)
    if (again?.isAdmitted === false) rejected += 1
    if (again?.check !== 'same') different += 1
  }
  const { user, system } = process.cpuUsage(startedCpu)
  rates.push(Math.round(requests / ((user + system) / 1_000_000)))
  wallRates.push(Math.round(requests / ((performance.now() - startedMs) / 1_000)))
  print(`${rates.at(-1)} requests per second of CPU, ${wallRates.at(-1)} per second; ${rejected} rejected`)
  if (different > 0) throw new Error(`${different} recorded decisions were not reproduced`)
}
const result = {
  ...runContext(),
  requests,
  accounts: ACCOUNTS,
  requestsPerCpuSecond: median(rates),
  requestsPerSecond: median(wallRates),
  rates,
  wallRates,
}
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)

/** Bursts and pauses of every account, decided with the recorded limits. */
function recordTraffic(): RecordedRequest[] {
  const limiters = Array.from({ length: ACCOUNTS }, () => new RollingLimits())
  return Array.from({ length: requests }, (_, n) => {
    const limiter = limiters[n % ACCOUNTS] ?? new RollingLimits()
    // Twenty requests in a second, then a pause.
    const round = Math.floor(n / ACCOUNTS)
    const timeMs = FROM_MS + Math.floor(round / BURST) * PAUSE_MS + (round % BURST) * GAP_MS
    limiter.advance(timeMs, MONTH_END_MS)
    const mask = limiter.deniedMask(LIMITS, 0)
    const retryAfterMs = mask === 0 ? 0 : Math.ceil(limiter.waitMs(mask, LIMITS))
    if (mask === 0) limiter.add()
    const used = [0, 1, 2, 3, 4].map((window) => limiter.used(window))
    return {
      requestId: '',
      timeMs,
      keyId: 'session',
      tier: PROPOSAL.tier,
      openMs: 5,
      isAdmitted: mask === 0,
      isDegraded: false,
      retryAfterMs,
      monthEndMs: MONTH_END_MS,
      account: { used: [...used, mask === 0 ? 1 : 0], limits: LIMITS, mask },
      key: undefined,
    }
  })
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}
