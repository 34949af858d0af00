import { send } from '@tapeline/testing/api-client'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Check, check, checkThat, type Drill, type Field, pause } from '../drill.ts'
import { checkFollowers, storedRecords } from '../streams/check-streams.ts'
import { followerAccount } from '../streams/follower-account.ts'
import { Follower, type Subscription } from '../streams/follower.ts'
import { type RunningReplay, startReplay } from '../streams/replay.ts'

/** Receive times of the first and the last line of each recording, in ns. */
const RECORDINGS: readonly { file: string; fromNs: bigint; toNs: bigint }[] = [
  { file: 'spot_btcusdt_20240808.gz', fromNs: 1_723_161_253_937_085_768n, toNs: 1_723_161_599_999_231_384n },
  { file: 'spot_btcusdt_20240809.gz', fromNs: 1_723_161_600_001_658_384n, toNs: 1_723_161_904_535_092_233n },
]
const KINDS = ['gateway', 'stream', 'connector', 'kafka', 'client'] as const
type Kind = (typeof KINDS)[number]

const MANY_CUTS = 50
const FOLLOWERS = { few: 6, many: 20 }
/** About how long a cut and the pause after it take, so that the replay lasts for all of them. */
const CUT_MS = 6_000
const PAUSE_MS = { least: 0, most: 1_500 }
const KNOWN_WITHIN_MS = 60_000
const NS_PER_MS = 1_000_000n
const OF_RECORDING = { venues: ['binance'], symbols: ['BTC-USDT'], start: '2024-08-08T00:00:00Z' }

/** Cuts at random moments while recorded trades and book updates are played; `size.kills` is the number of cuts. */
export const streamCuts: Drill = {
  name: 'stream-cuts',
  what: 'gateways, stream processes, connector, Kafka and clients are cut while a recording is played',
  async run(field) {
    const { platform, random, size } = field
    const isLong = size.kills >= MANY_CUTS
    const recordings = isLong ? RECORDINGS : RECORDINGS.slice(0, 1)
    const files = recordings.map(({ file }) => recording('binance-spot', file))
    if (files.includes(undefined)) throw new Error(NO_RECORDINGS)
    const playedMs = recordings.reduce((sum, { fromNs, toNs }) => sum + Number((toNs - fromNs) / NS_PER_MS), 0)
    const { apiKey } = await followerAccount(field)
    const urls = platform.gatewayUrls
    const replay = startReplay(platform, {
      connect: 'binance:BTC-USDT',
      files: files.filter((file) => file !== undefined),
      speed: Math.max(1, playedMs / (size.kills * CUT_MS)),
      beginsNs: recordings[0]?.fromNs ?? 0n,
    })
    field.loads.push(replay)
    await waitUntil('the instrument is registered', () => isListed(platform.gatewayUrl, apiKey), KNOWN_WITHIN_MS)
    const followers = Array.from(
      { length: isLong ? FOLLOWERS.many : FOLLOWERS.few },
      (_, n) =>
        new Follower({ urls, apiKey, subscription: subscriptionOf(n % 2 === 0 ? 'trades' : 'l2events'), random }),
    )
    field.loads.push(...followers)
    const cuts = await cutAtRandom(field, followers, replay)
    const counts = await replay.counts()
    const isWhole = ({ channel, records }: Follower) =>
      records.length >= (channel === 'trades' ? counts.trades : counts.l2Events)
    await waitUntil('all clients have all records', () => followers.every(isWhole), size.settledWithinMs).catch(
      () => undefined,
    )
    const stored = {
      trades: await storedRecords(platform.gatewayUrl, apiKey, subscriptionOf('trades')),
      l2events: await storedRecords(platform.gatewayUrl, apiKey, subscriptionOf('l2events')),
    }
    return {
      checks: [...checkCuts(cuts), ...checkStored(stored, counts), ...checkFollowers(followers, stored)],
      figures: {
        cuts: cuts.length,
        ...Object.fromEntries(KINDS.map((kind) => [kind, cuts.filter((one) => one === kind).length])),
        subscribers: followers.length,
        connections: followers.reduce((sum, { connections }) => sum + connections, 0),
        trades: stored.trades.length,
        bookEvents: stored.l2events.length,
      },
    }
  },
}

/** The replay registers its instrument when it starts. */
async function isListed(gatewayUrl: string, token: string): Promise<boolean> {
  const { status } = await send(`${gatewayUrl}/api/v1/trades/list`, { token, body: { ...OF_RECORDING, limit: 1 } })
  return status === 200
}

function subscriptionOf(channel: Subscription['channel']): Subscription {
  return { channel, ...OF_RECORDING }
}

/** Each kind in turn, in an order and at moments from the seed; the connector first, while the replay certainly runs. */
async function cutAtRandom(
  { platform, random, size }: Field,
  followers: readonly Follower[],
  replay: RunningReplay,
): Promise<Kind[]> {
  const one = (names: readonly string[]) => names[random.between(0, names.length - 1)] ?? ''
  const named = (prefix: string) => platform.processes.map(({ name }) => name).filter((name) => name.startsWith(prefix))
  const again = async (name: string) => {
    await platform.kill(name)
    await platform.restart(name)
  }
  const cutting: Record<Exclude<Kind, 'connector'>, () => Promise<void>> = {
    gateway: () => again(one(named('gateway'))),
    stream: () => again(one(named('stream-'))),
    kafka: () => again('kafka'),
    client: async () => followers[random.between(0, followers.length - 1)]?.cut(),
  }
  const done: Kind[] = []
  for (let kinds: Kind[] = ['connector']; done.length < size.kills; kinds = kinds.slice(1)) {
    if (kinds.length === 0) kinds = random.shuffled(KINDS)
    const [kind = 'client'] = kinds
    if (kind !== 'connector') await cutting[kind]()
    else if (!(await replay.cut())) continue
    done.push(kind)
    await pause(random.between(PAUSE_MS.least, PAUSE_MS.most))
  }
  return done
}

function checkCuts(cuts: readonly Kind[]): Check[] {
  const missing = KINDS.filter((kind) => !cuts.includes(kind))
  return [checkThat('everything was cut', missing.length === 0, `not cut: ${missing.join(', ')}`)]
}

function checkStored(
  stored: Record<Subscription['channel'], readonly string[]>,
  counts: { trades: number; l2Events: number },
): Check[] {
  const broken = [
    ...(stored.trades.length === counts.trades ? [] : [`${stored.trades.length} of ${counts.trades} trades`]),
    ...(stored.l2events.length === counts.l2Events ? [] : [`${stored.l2events.length} of ${counts.l2Events} events`]),
  ]
  return [check('the store has each recorded trade and book event once', broken)]
}
