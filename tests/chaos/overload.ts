import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { startTraffic, type Traffic } from '@tapeline/testing/traffic'
import { checkCounting } from './check-counting.ts'
import { checkThat, type Drill, type Field, pause, PLATFORM } from './drill.ts'
import { gatherCounting } from './gather-counting.ts'
import { type Account, newAccount } from './load.ts'

/** At one gateway: free ones are turned away from 80 % on, so that these clients are three times what it takes. */
const IN_FLIGHT_MAX = 30
const FREE_CLIENTS = 3 * IN_FLIGHT_MAX
const PRO_CLIENTS = 5
const PRO_SHARE_MIN = 0.994
const P99_MAX_MS = 250
const AFTERWARDS_WITHIN_MS = 5_000

export const overload: Drill = {
  name: 'overload',
  what: 'three times what a gateway takes at once: free callers wait, those of pro do not notice',
  platform: {
    ...PLATFORM,
    gateways: 1,
    only: (PLATFORM.only ?? []).filter((name) => name !== 'gateway-2'),
    env: { gateway: { ...PLATFORM.env?.['gateway'], IN_FLIGHT_MAX: String(IN_FLIGHT_MAX) } },
  },
  async run(field) {
    const { history, size } = field
    const free = await newAccount(field)
    const pro = await newAccount(field)
    const addresses = {
      configDatabaseUrl: field.platform.databaseUrls.config,
      redisUrl: field.platform.addresses.redisUrl,
    }
    await setTier(addresses, pro.accountId, 'pro')
    await setLimits(addresses, pro.accountId, {})
    const paying = clients(field, { account: pro, clients: PRO_CLIENTS, pauseMs: 20 })
    await pause(size.awayMs / 4)
    await history.during('overload', 'gateway', async () => {
      const crowd = clients(field, { account: free, clients: FREE_CLIENTS, pauseMs: 0 })
      await pause(size.awayMs)
      await crowd.stop()
    })
    const endedMs = Date.now()
    await pause(size.awayMs / 4)
    await paying.stop()
    const of = (account: Account) => history.asked.filter((one) => one.account === account.accountId)
    const asked = of(pro)
    const served = asked.filter(({ status }) => status === 200)
    const odd = of(free).filter(({ status }) => status !== 200 && status !== 503)
    const turnedAway = of(free).filter(({ status }) => status === 503).length
    const lateFailures = asked.filter(
      ({ startMs, status }) => startMs > endedMs + AFTERWARDS_WITHIN_MS && status !== 200,
    )
    const p99Ms = percentile(
      served.map(({ startMs, endMs }) => endMs - startMs),
      0.99,
    )
    return {
      checks: [
        checkThat(
          'there was too much: some were turned away, others served',
          turnedAway > 0 && of(free).length > turnedAway,
          `${turnedAway} of ${of(free).length}`,
        ),
        checkThat('who is turned away is told by a 503', odd.length === 0, `${odd.length} others`),
        checkThat(
          `pro: at least ${PRO_SHARE_MIN} are served`,
          served.length >= PRO_SHARE_MIN * asked.length,
          `${served.length} of ${asked.length}`,
        ),
        checkThat('afterwards everybody is', lateFailures.length === 0, `${lateFailures.length} are not`),
        ...(size.isTimed
          ? [checkThat(`pro: 99 of 100 within ${P99_MAX_MS} ms`, p99Ms <= P99_MAX_MS, `${p99Ms} ms`)]
          : []),
        ...checkCounting(await gatherCounting(field, free)),
        ...checkCounting(await gatherCounting(field, pro)),
      ],
      figures: { free: of(free).length, turnedAway, pro: asked.length, proServed: served.length, proP99Ms: p99Ms },
    }
  },
}

type Clients = { account: Account; clients: number; pauseMs: number }

function clients({ platform, history, loads }: Field, { account, clients: count, pauseMs }: Clients): Traffic {
  const traffic = startTraffic({
    urls: platform.gatewayUrls,
    key: account.apiKey,
    clients: count,
    pauseMs,
    onOver(one) {
      const { startMs, endMs } = one
      const answer = 'status' in one ? { requestId: one.requestId, status: one.status } : {}
      history.add({ account: account.accountId, startMs, endMs, ...answer })
    },
  })
  loads.push({ stop: async () => void (await traffic.stop()) })
  return traffic
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
