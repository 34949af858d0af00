import { setTimeout as delay } from 'node:timers/promises'
import type { Subscribe } from '@tapeline/contracts/market-data/stream'
import { waitUntil } from '@tapeline/testing/wait-until'
import { openStream, type Received } from '../stream/stream-client.fixture.ts'
import { actor, type Channel } from './recorded-path.fixture.ts'

export type Followed<T> = {
  subscribed: Promise<unknown>
  /** In the order of their arrival, without `ts_out`. */
  records: T[]
  /** Records earlier than those already sent. */
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

  function subscription(): Subscribe {
    const start = { op: 'subscribe', id: 'a', channel } as const
    if (cursor !== undefined) return { ...start, cursor }
    const include = channel === 'trades' ? { include: ['conditions' as const] } : {}
    return { ...start, venues: [venue], symbols: [symbol], start: '2010-01-01', ...IN_NS, ...include }
  }

  /** False after an error, because the process learns of a new instrument with a short delay. */
  function takeAll(messages: readonly Received[]): boolean {
    messages.forEach(take)
    const error = messages.find(({ type }) => type === 'error')
    if (error !== undefined && isSubscribed) problem = JSON.stringify(error)
    return error === undefined
  }

  async function run(): Promise<void> {
    while (!isStopped && problem === undefined) {
      const client = await openStream(port, actor)
      close = client.close
      client.send(subscription())
      while (takeAll(client.received.splice(0)) && client.closed() === undefined && !isStopped)
        await delay(AGAIN_AFTER_MS)
      takeAll(client.received.splice(0))
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
