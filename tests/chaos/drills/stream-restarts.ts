import { send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkThat, type Drill, pause } from '../drill.ts'
import { checkFollowers, storedRecords } from '../streams/check-streams.ts'
import { followerAccount } from '../streams/follower-account.ts'
import { Follower, type Subscription } from '../streams/follower.ts'

const SIMULATED = { venues: ['sim'], symbols: ['BTC-USDT'] }
const SUBSCRIBERS = { few: 50, many: 500 }
const OPEN_WITHIN_MS = 90_000
/** The simulator has filled its history if the last trade is at most this old. */
const NEW_MS = 10_000
/** Records arrive between two restarts. */
const BETWEEN_MS = 500

/** Gateways and stream processes are restarted one after the other while simulated trades are followed. */
export const streamRestarts: Drill = {
  name: 'stream-restarts',
  what: 'gateways and stream processes are restarted one after the other with many subscribers',
  async run(field) {
    const { platform, random, size } = field
    const { apiKey } = await followerAccount(field)
    const start = await waitUntil('trades of now', () => latestTrade(platform.gatewayUrl, apiKey), OPEN_WITHIN_MS)
    const subscription: Subscription = { channel: 'trades', ...SIMULATED, start }
    const urls = platform.gatewayUrls
    const count = size.isTimed ? SUBSCRIBERS.many : SUBSCRIBERS.few
    const followers = Array.from({ length: count }, () => new Follower({ urls, apiKey, subscription, random }))
    field.loads.push(...followers)
    const areAll = (condition: (follower: Follower) => boolean) => () => followers.every(condition)
    await waitUntil(
      'all follow',
      areAll(({ records }) => records.length > 0),
      OPEN_WITHIN_MS,
    )
    const names = platform.processes.map(({ name }) => name).filter((name) => /^(gateway|stream-)/.test(name))
    for (const name of names) {
      await platform.restart(name)
      await pause(BETWEEN_MS)
    }
    const trades = await storedRecords(platform.gatewayUrl, apiKey, subscription)
    const haveAll = areAll(({ records }) => records.length >= trades.length)
    await waitUntil('all have caught up', haveAll, size.settledWithinMs).catch(() => undefined)
    const until = followers.map(({ channel, faults, records }) => ({
      channel,
      faults,
      records: records.slice(0, trades.length),
    }))
    const connections = followers.map((follower) => follower.connections)
    return {
      checks: [
        ...checkFollowers(until, { trades }),
        checkThat('every subscriber was moved', Math.min(...connections) > 1, `connections: ${connections.join(' ')}`),
      ],
      figures: {
        subscribers: count,
        restarts: names.length,
        connections: connections.reduce((sum, one) => sum + one, 0),
        trades: trades.length,
      },
    }
  },
}

/** Waits until the last trade is recent and returns its time. */
async function latestTrade(gatewayUrl: string, token: string): Promise<string | undefined> {
  const body = { ...SIMULATED, order: 'desc', limit: 1 }
  const page = await send<{ data: { ts_event: string }[] }>(`${gatewayUrl}/api/v1/trades/list`, { token, body })
  const time = page.body.data[0]?.ts_event ?? ''
  return Date.now() - Date.parse(time) < NEW_MS ? time : undefined
}
