import { silentLogger } from '@tapeline/testing/silent-logger'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { LimiterGateway, LoggedAccount } from '../../test/limiter-gateway.fixture.ts'
import { openLimiterStore } from '../../src/limiter/redis/open-limiter-store.ts'
import { storeReady } from '../../src/limiter/redis/limiter-store.ts'

// Gateways' limiters with constant traffic, on one side of a split brain: tests/chaos/ha/split starts this process with
// its settings as JSON, in a network namespace or outside. It prints JSON lines: each admission, each change of who
// decides, and at SIGTERM how many requests were sent per account. SIGUSR2 replaces the accounts by the second list.

const LIMIT_NAMES = [
  'burstLimit',
  'requestsPerMinute',
  'requestsPerHour',
  'requestsPerDay',
  'requestsPerMonth',
] as const
const Limits = Type.Partial(Type.Record(Type.Union(LIMIT_NAMES.map((name) => Type.Literal(name))), Type.Integer()))
const Accounts = Type.Array(Type.Object({ id: Type.String(), limits: Limits }))
const Settings = Type.Object({
  redisUrl: Type.String(),
  gateways: Type.Integer(),
  gatewaysExpected: Type.Integer(),
  replyWithinMs: Type.Integer(),
  /** Requests per second of each account at each gateway. */
  perSecond: Type.Integer(),
  accounts: Accounts,
  later: Accounts,
})
const READY_WITHIN_MS = 30_000

const settings = Value.Parse(Settings, JSON.parse(process.argv[2] ?? '{}'))
const { redisUrl, gatewaysExpected, replyWithinMs } = settings
const stores = await Promise.all(
  Array.from({ length: settings.gateways }, () => openLimiterStore(redisUrl, silentLogger)),
)
const gateways = stores.map((store) => new LimiterGateway({ store, gatewaysExpected, replyWithinMs }))
await Promise.all(stores.map((store) => storeReady(store, READY_WITHIN_MS)))
const logged = (accounts: typeof settings.accounts) =>
  accounts.map(({ id, limits }) => new LoggedAccount(limits, null, id))
const sent = new Map<string, number>()
const deciders = gateways.map(() => '')
let accounts = logged(settings.accounts)

const timer = setInterval(() => {
  for (const [n, gateway] of gateways.entries()) for (const account of accounts) send(n, gateway, account)
}, 1_000 / settings.perSecond)
process.on('SIGUSR2', () => (accounts = logged(settings.later)))
process.on('SIGTERM', () => {
  clearInterval(timer)
  for (const gateway of gateways) gateway.stop()
  print({ kind: 'sent', sent: Object.fromEntries(sent) })
  process.exit(0)
})

function send(gatewayNumber: number, gateway: (typeof gateways)[number], account: LoggedAccount): void {
  sent.set(account.id, (sent.get(account.id) ?? 0) + 1)
  gateway.sendRequest(account, ({ verdict, nowMs, isDegraded }) => {
    const by = isDegraded ? 'share' : 'redis'
    if (deciders[gatewayNumber] !== by) print({ kind: 'decider', gateway: gatewayNumber, by, atMs: Date.now() })
    deciders[gatewayNumber] = by
    if (verdict === 'admitted') print({ kind: 'admitted', account: account.id, atMs: nowMs, by })
  })
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
