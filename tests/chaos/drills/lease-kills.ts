import { leasesEndOf } from '@tapeline/testing/usage/leases-end'
import { startTraffic, type Traffic } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkThat, type Drill, type Field, pause } from '../drill.ts'
import { type Account, newAccount } from '../load.ts'
import { quantileOf } from '../quantile-of.ts'
import { type ReplacedService, replaceMarketData } from '../replace-market-data.ts'

const VICTIM = 'gateway-2'
const LIMIT = 8
/** More than the limit, so that a free slot is taken at once. */
const CLIENTS = LIMIT + 4
const PAUSE_MS = 10
/** Below the deadline of a read, which is two seconds. */
const ANSWER_AFTER_MS = 1_400
const BEFORE_KILL_MS = [100, 1_000] as const
const LEASES_END_WITHIN_MS = 10_000
/** How soon a request that tries again takes the slot depends on the machine; on one busy with tests no time is guaranteed. */
const TAKEN_WITHIN_MS = 15_000
const TAKEN_WITHIN_BUSY_MS = 30_000
/** Leases are valid for 10 s and renewed every 3 s; on a busy machine they may be renewed later. */
const LEASES_LAST_MS = 6_000
const GIVE_UP_AFTER_MS = 60_000

/** A killed gateway cannot release the leases of its requests: the others reject requests until the leases have ended. */
export const leaseKills: Drill = {
  name: 'lease-kills',
  what: 'a gateway is killed while all concurrent requests of an account are in flight there',
  async run(field) {
    const { size } = field
    const account = await newAccount(field, { concurrentRequests: LIMIT })
    let fullMs = 0
    const service = await replaceMarketData(field, ({ inFlight, answer }) => {
      if (inFlight === LIMIT) fullMs = Date.now()
      setTimeout(answer, ANSWER_AFTER_MS)
    })
    const [ends, times]: [number[], number[]] = [[], []]
    for (let n = 0; n < size.kills; n += 1) {
      const { killedMs, endMs } = await killFull(field, account, service)
      ends.push(endMs - killedMs)
      const others = trafficAt(field, account, 0, CLIENTS)
      const isFull = () => service.inFlight() === LIMIT
      await waitUntil('the whole limit is available again', isFull, GIVE_UP_AFTER_MS)
      times.push(fullMs - killedMs)
      await others.stop()
      await field.platform.restart(VICTIM)
    }
    await service.stop()
    const withinMs = size.isTimed ? TAKEN_WITHIN_MS : TAKEN_WITHIN_BUSY_MS
    const [lastEnd, least, most] = [Math.max(...ends), Math.min(...times), Math.max(...times)]
    const lastMs = size.isTimed ? LEASES_LAST_MS : 0
    const early = times.filter((ms, n) => ms < Math.max(ends[n] ?? 0, lastMs))
    const inFlight = service.mostInFlight()
    return {
      checks: [
        checkThat('never more requests in flight than the limit', inFlight <= LIMIT, `${inFlight} of ${LIMIT}`),
        checkThat(
          `the leases of a killed gateway end within ${LEASES_END_WITHIN_MS} ms`,
          lastEnd <= LEASES_END_WITHIN_MS,
          `${lastEnd} ms`,
        ),
        checkThat(`the whole limit is available within ${withinMs} ms`, most <= withinMs, `${most} ms`),
        checkThat('until then the requests of the killed gateway count', early.length === 0, `${early.join(', ')} ms`),
      ],
      figures: {
        kills: size.kills,
        limit: LIMIT,
        mostInFlight: inFlight,
        leasesEndAfterMs: lastEnd,
        availableAfterLeastMs: least,
        availableAfterP50Ms: quantileOf(times, 0.5) ?? 0,
        availableAfterMostMs: most,
      },
    }
  },
}

/**
 * Kills the gateway at a random moment of its requests. `killedMs`: after the kill, because on a busy machine it renews
 * its leases until then; `endMs`: when the last of them ends.
 */
async function killFull(
  field: Field,
  account: Account,
  service: ReplacedService,
): Promise<{ killedMs: number; endMs: number }> {
  const { platform, history, random } = field
  const traffic = trafficAt(field, account, 1, LIMIT)
  await waitUntil('all of the limit is in flight', () => service.inFlight() === LIMIT, GIVE_UP_AFTER_MS)
  await pause(random.between(...BEFORE_KILL_MS))
  await history.during('kill', VICTIM, () => platform.kill(VICTIM))
  const killedMs = Date.now()
  await traffic.stop()
  await waitUntil('its connections are closed', () => service.inFlight() === 0, GIVE_UP_AFTER_MS)
  return { killedMs, endMs: Math.round(await leasesEndOf(platform.addresses.redisUrl, account.accountId)) }
}

function trafficAt({ platform, loads }: Field, { apiKey }: Account, gateway: number, clients: number): Traffic {
  const urls = platform.gatewayUrls.slice(gateway, gateway + 1)
  const traffic = startTraffic({ urls, key: apiKey, clients, pauseMs: PAUSE_MS })
  loads.push({ stop: async () => void (await traffic.stop()) })
  return traffic
}
