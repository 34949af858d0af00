import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { startArrivals } from '@tapeline/testing/usage/traffic'
import { checkCounting } from '../checks/check-counting.ts'
import { checkOverload, NORMAL_WITHIN_MS, served, TIMES } from '../checks/check-overload.ts'
import { type Drill, type Field, pause, PLATFORM, type RunningLoad } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import type { Fault } from '../history.ts'
import { type Account, newAccount, startLoad } from '../load.ts'

/**
 * Limits at one gateway: free callers are rejected from 80 % on, so that these clients together use its full capacity.
 */
const IN_FLIGHT_MAX = 20
const PRO = { clients: 3, pauseMs: 20 }
const FREE = { clients: 11, pauseMs: 0 }
/** Makes slots the bottleneck instead of the CPU, which the clients need too. */
const SERVICE_TAKES_MS = 100
/** A little more than is promised, because arrivals are never quite even. */
const OVERLOAD_TIMES = 1.1 * TIMES
const WARM_UP_MS = 8_000

export const overload: Drill = {
  name: 'overload',
  what: 'three times the rate that a gateway has just served: free callers get 503 with Retry-After, pro callers are not affected',
  platform: {
    ...PLATFORM,
    gateways: 1,
    only: (PLATFORM.only ?? []).filter((name) => name !== 'gateway-2'),
    env: { gateway: { ...PLATFORM.env?.['gateway'], IN_FLIGHT_MAX: String(IN_FLIGHT_MAX) } },
  },
  async run(field) {
    const { history, size, wires } = field
    const free = await newAccount(field)
    const pro = await newPro(field)
    wires.marketData.setFault('slow', SERVICE_TAKES_MS)
    const paying = startLoad(field, pro, PRO)
    const before = startLoad(field, free, FREE)
    await pause(WARM_UP_MS)
    const full = await phase(field, 'full', size.awayMs / 2)
    await before.stop()
    const overloadTraffic = startOverload(field, free, OVERLOAD_TIMES * served(history.requests, full))
    const tooMuch = await phase(field, 'overload', size.awayMs, overloadTraffic)
    const after = startLoad(field, free, FREE)
    const afterwards = await phase(field, 'afterwards', NORMAL_WITHIN_MS + size.awayMs / 2)
    await after.stop()
    await paying.stop()
    wires.marketData.setFault('pass')
    const of = ({ accountId }: Account) => history.requests.filter(({ account }) => account === accountId)
    const { checks, figures } = checkOverload({ pro: of(pro), free: of(free), full, overload: tooMuch, afterwards })
    const counted = await Promise.all([free, pro].map((account) => gatherCounting(field, account)))
    return { checks: [...checks, ...counted.flatMap(checkCounting)], figures }
  },
}

async function newPro(field: Field): Promise<Account> {
  const account = await newAccount(field)
  const { databaseUrls, addresses } = field.platform
  const at = { configDatabaseUrl: databaseUrls.config, redisUrl: addresses.redisUrl }
  await setTier(at, account.accountId, 'pro')
  await setLimits(at, account.accountId, {})
  return account
}

/** Lasts this long and until the additional clients have stopped. */
async function phase({ history }: Field, what: string, forMs: number, overloadTraffic?: RunningLoad): Promise<Fault> {
  await history.during(what, 'gateway', async () => {
    await pause(forMs)
    await overloadTraffic?.stop()
  })
  return history.faults.at(-1) as Fault
}

/** Clients that wait neither for responses nor for Retry-After. */
function startOverload({ platform, history, loads }: Field, { accountId, apiKey }: Account, perSecond: number) {
  const overloadTraffic = startArrivals({
    urls: platform.gatewayUrls,
    key: apiKey,
    perSecond,
    onAnswer(one) {
      const { startMs, endMs } = one
      const retryAfter = 'status' in one && one.retryAfter !== null ? { retryAfter: one.retryAfter } : {}
      const answer = 'status' in one ? { requestId: one.requestId, status: one.status, ...retryAfter } : {}
      history.add({ account: accountId, startMs, endMs, ...answer })
    },
  })
  loads.push(overloadTraffic)
  return overloadTraffic
}
