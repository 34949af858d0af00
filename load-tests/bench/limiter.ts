import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { RedisServer } from '@tapeline/testing/redis/redis-server'

/** Measures the cost of one limiter decision in Redis: CPU of its process and time in the script, per kind of query. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '20000' },
    /** Regular expression over the names of kinds. */
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'docs/benchmarks/limiter.json' },
  },
})
const ROUNDS = Number(values.rounds)
const CALLS = Number(values.calls)
const ACCOUNTS = 1_000
const IN_FLIGHT = 64
const LEASE_MS = 10_000
const UNLIMITED = [1e9, 1e9, 1e9, 1e9, 1e9, 1e9]
const NONE_LEFT = [1e9, 1, 1e9, 1e9, 1e9, 1e9]
/** A cap that is not proposed. */
const NO_CAP = 4_294_967_295
const UNLIMITED_CAPS = [1e9, 1e9, 1e9, 1e9, 1e9, NO_CAP]
const AIM_US = 40

type Kind = {
  name: string
  limits: number[]
  hasCaps: boolean
  /** Shadow limits, of the tier and of the key: evaluated, not enforced. */
  shadow: number[] | undefined
  keyShadow: number[] | undefined
  requests: number
  perPacket: number
}
const kind = (name: string, overrides: Partial<Kind> = {}): Kind => ({
  name,
  limits: UNLIMITED,
  hasCaps: false,
  shadow: undefined,
  keyShadow: undefined,
  requests: 1,
  perPacket: 1,
  ...overrides,
})
const ALL_KINDS: Kind[] = [
  kind('admitted'),
  kind('admitted, 16 calls in a packet', { perPacket: 16 }),
  kind('admitted, by shadow limits too', { shadow: UNLIMITED }),
  kind('admitted, 16 calls in a packet, by shadow limits too', { shadow: UNLIMITED, perPacket: 16 }),
  kind('admitted, denied by shadow limits', { shadow: NONE_LEFT }),
  kind('admitted, by caps proposed for the key too', { keyShadow: UNLIMITED_CAPS }),
  kind('admitted, 16 calls in a packet, by caps proposed for the key too', {
    keyShadow: UNLIMITED_CAPS,
    perPacket: 16,
  }),
  kind('admitted, denied by caps proposed for the key', { keyShadow: [1e9, 1, 1e9, 1e9, 1e9, NO_CAP] }),
  kind('admitted, by proposed caps with concurrency too', { keyShadow: UNLIMITED }),
  kind('admitted, by shadow limits and proposed caps too', { shadow: UNLIMITED, keyShadow: UNLIMITED_CAPS }),
  kind('admitted, own caps of the key', { hasCaps: true }),
  kind('admitted, own caps of the key, by proposed caps too', { hasCaps: true, keyShadow: UNLIMITED_CAPS }),
  kind('admitted, own caps, 16 calls in a packet', { hasCaps: true, perPacket: 16 }),
  kind('8 requests decided by one call', { requests: 8 }),
  kind('denied', { limits: NONE_LEFT }),
  kind('denied, own caps of the key', { limits: NONE_LEFT, hasCaps: true }),
  kind('versions only', { requests: 0 }),
]

const KINDS = ALL_KINDS.filter(({ name }) => new RegExp(values.only).test(name))

type Cost = { cpuUs: number; scriptUs: number }
const dir = mkdtempSync(join(tmpdir(), 'limiter-bench-'))
const loadBefore = loadavg()
const server = await RedisServer.start(dir, { appendonly: 'yes', appendfsync: 'everysec' })
try {
  const source = ['rings.lua', 'decide.lua', 'shadow.lua'].map(readScript).join('\n')
  const sha = createHash('sha1').update(source).digest('hex')
  await server.runCommand('SCRIPT', 'LOAD', source)
  const measured = new Map<string, Cost[]>(KINDS.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const kinds = round % 2 === 0 ? KINDS : KINDS.toReversed()
    for (const one of kinds) measured.get(one.name)?.push(await costOf(one, sha, round))
  }
  report(measured)
} finally {
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}

function readScript(file: string): string {
  return readFileSync(join(import.meta.dirname, '../../gateway/src/limiter/scripts', file), 'utf8')
}

/** Each round and kind has its own accounts; leases are released as in the gateway. */
async function costOf(one: Kind, sha: string, round: number): Promise<Cost> {
  const tag = (n: number) => `${one.name.replaceAll(' ', '-')}-${round}-${n % ACCOUNTS}`
  const accounts = server.redis.pipeline()
  for (let n = 0; n < ACCOUNTS; n += 1) {
    accounts.hset(`acct:{${tag(n)}}`, { g: '1', u: '1', s: '1', 'k:x': '1', 'c:key': '1' })
  }
  await accounts.exec()
  const warmUp = Math.min(CALLS, 2 * ACCOUNTS)
  await run(one, sha, tag, warmUp)
  await server.runCommand('CONFIG', 'RESETSTAT')
  const before = await cpuOf()
  await run(one, sha, tag, CALLS)
  const cpuUs = ((await cpuOf()) - before) / CALLS
  const stats = await server.redis.info('commandstats')
  return { cpuUs, scriptUs: Number(/cmdstat_evalsha:.*?usec_per_call=([\d.]+)/.exec(stats)?.[1]) }
}

async function run(one: Kind, sha: string, tag: (n: number) => string, calls: number): Promise<void> {
  let sent = 0
  const workers = Array.from({ length: Math.max(1, Math.floor(IN_FLIGHT / one.perPacket)) }, async () => {
    while (sent < calls) {
      const packet = server.redis.pipeline()
      for (let n = 0; n < one.perPacket; n += 1, sent += 1) {
        const account = tag(sent)
        packet.evalsha(sha, ...argumentsOf(one, account, `lease-${sent}`))
      }
      const results = await packet.exec()
      const failed = results?.find(([error]) => error !== null)
      if (failed !== undefined) throw failed[0] ?? new Error('no reply')
    }
  })
  await Promise.all(workers)
}

function argumentsOf(one: Kind, account: string, lease: string): [number, ...string[]] {
  const { limits, hasCaps, shadow, keyShadow, requests } = one
  const keys = [`acct:{${account}}`, `windows:{${account}}`, `leases:{${account}}`, `usage:{${account}}:`]
  if (hasCaps) keys.push(`windows:{${account}}:key`, `leases:{${account}}:key`)
  const proposals = [shadow, keyShadow].filter((proposed) => proposed !== undefined)
  const also = proposals.length === 2 ? 4 : keyShadow !== undefined ? 3 : shadow !== undefined ? 2 : 0
  const head = ['x', 1, 1, 1, '', requests, 0, also, LEASE_MS, ...limits, 0, 4e9, 5e9, '', 'key']
  const own = [...(hasCaps ? UNLIMITED : []), ...proposals.map((proposed) => ['proposal', ...proposed].join(' '))]
  const leases = Array.from({ length: requests }, (_none, n) => `${lease}-${n}`)
  return [keys.length, ...keys, ...[...head, ...own, ...leases].map(String)]
}

/** CPU time of the server process, in microseconds. */
async function cpuOf(): Promise<number> {
  const text = await server.redis.info('cpu')
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6
}

function report(measured: ReadonlyMap<string, Cost[]>): void {
  const rows = [...measured].map(([name, costs]) => ({
    kind: name,
    cpuUs: median(costs.map((cost) => cost.cpuUs)),
    // The fastest round, which other programs disturbed least.
    cpuUsLeast: Math.round(Math.min(...costs.map((cost) => cost.cpuUs)) * 10) / 10,
    scriptUs: median(costs.map((cost) => cost.scriptUs)),
  }))
  console.table(rows)
  const [admitted] = rows
  console.log(`aim: ${AIM_US} µs of Redis per decision; measured ${admitted?.cpuUs} µs`)
  const result = {
    at: new Date().toISOString(),
    redis: server.version,
    cpu: cpus()[0]?.model,
    loadBefore,
    loadAfter: loadavg(),
    plan: { rounds: ROUNDS, calls: CALLS, accounts: ACCOUNTS, inFlight: IN_FLIGHT },
    summary: rows,
    measured: Object.fromEntries(measured),
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`)
  console.log(`raw results: ${values.out}`)
}

function median(list: number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 10) / 10
}
