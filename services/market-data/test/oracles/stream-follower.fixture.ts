import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@tapeline/testing/wait-until'
import { openStream, type Received } from '../stream/stream-client.fixture.ts'
import { actor, type Channel } from './recorded-path.fixture.ts'

export type Followed<T> = {
  subscribed: Promise<unknown>
  /** In the order of their arrival, without `ts_out`. */
  records: T[]
  /** Records that stood before those that had been sent. */
  late: () => number
  problem: () => string | undefined
  stop: () => void
}
type Place = { port: number; venue: string; symbol: string }

const AGAIN_AFTER_MS = 50
const IN_NS = { time_format: 'unix_ns' } as const

/** A WebSocket client of one instrument that reconnects with its last cursor. */
export function followInstrument<T>({ port, venue, symbol }: Place, channel: Channel): Followed<T> {
  const records: T[] = []
  let [late, isStopped, isSubscribed] = [0, false, false]
  let cursor: string | undefined
  let problem: string | undefined
  let close = () => {}

  function take(message: Received): void {
    if ('cursor' in message) ({ cursor } = message)
    if (message.type === 'subscribed') isSubscribed = true
    if (message.type !== channel && message.type !== 'late') return
    for (const { ts_out: _sent, ...record } of message.data ?? []) records.push(record as T)
    if (message.type === 'late') late += message.data?.length ?? 0
  }

  async function run(): Promise<void> {
    while (!isStopped && problem === undefined) {
      const client = await openStream(port, actor)
      close = client.close
      const place =
        cursor === undefined ? { venues: [venue], symbols: [symbol], start: '2010-01-01', ...IN_NS } : { cursor }
      const include = channel === 'trades' && cursor === undefined ? { include: ['conditions' as const] } : {}
      client.send({ op: 'subscribe', id: 'a', channel, ...place, ...include })
      let hasFailed = false
      while (client.closed() === undefined && !isStopped && !hasFailed) {
        for (const message of client.received.splice(0)) {
          take(message)
          // A new instrument is known to the process after a moment.
          if (message.type === 'error') hasFailed = true
          if (message.type === 'error' && isSubscribed) problem = JSON.stringify(message)
        }
        await delay(AGAIN_AFTER_MS)
      }
      client.received.forEach(take)
      client.close()
    }
  }

  void run().catch((error: unknown) => (problem = String(error)))
  return {
    subscribed: waitUntil(`${venue}:${symbol} is subscribed`, () => isSubscribed || problem !== undefined),
    records,
    late: () => late,
    problem: () => problem,
    stop() {
      isStopped = true
      close()
    },
  }
}
