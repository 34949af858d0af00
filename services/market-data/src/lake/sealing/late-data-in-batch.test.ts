import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested, type VenueTrade, venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createProducer } from '@tapeline/events/kafka'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { BTC, DAY, NOW, openSettledLake } from '../../../test/lake/settled-lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { subscriptions } from '../../subscriptions.ts'
import { storeWithLake } from './store-late-data.ts'

const lake = await openSettledLake()
const topics = await openTestTopics(['market-data'])
const producer = createProducer(topics.kafka)
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
  await lake.close()
})

const circumstances = () => ({
  id: crypto.randomUUID(),
  time: NOW,
  subject: 'one-partition',
  account: null,
  actor: { kind: 'service', service: 'market-data' } as const,
})
const tradeOn = (day: number, id: string) => ({
  source_id: id,
  trade_id: id,
  ts_event: String(dayStart(day) + 50n),
  ts_recv: String(dayStart(day) + 60n),
  price: '10',
  size: '1',
  side: 'buy' as const,
  side_source: 'venue',
})
const ofSim = (symbol: string, trade: ReturnType<typeof tradeOn>) =>
  newEvent(recordsIngested, { ...circumstances(), data: { venue: 'sim', symbol, trades: [trade], l2_events: [] } })
const ofVenue = (symbol: string, trade: VenueTrade) =>
  newEvent(venueRecordsIngested, { ...circumstances(), data: { venue: 'sim', symbol, trades: [trade], l2_events: [] } })

const failures: unknown[] = []
const observed = subscriptions(lake.deps).map((subscription) => ({
  ...subscription,
  apply: (...[trx, events]: Parameters<typeof subscription.apply>) =>
    subscription.apply(trx, events).catch((error: unknown) => {
      failures.push(error)
      throw error
    }),
}))

test('a batch with records of today, of another type and of a dropped day of the same instrument is stored at once', async () => {
  await storeWithLake(lake.deps, [
    { instrumentId: BTC, trades: [someTrade('1', dayStart(DAY)), someTrade('2', dayStart(DAY))], l2Events: [] },
  ])
  await lake.seal({ instrumentId: BTC, day: DAY, isDropped: true })
  await producer.connect()
  const events = [
    ofSim('BTC-USDT', tradeOn(DAY + 2, 'today')),
    ofVenue('ETH-USDT', { ...tradeOn(DAY + 2, 'other'), flags: 0, conditions: [] }),
    ofSim('BTC-USDT', tradeOn(DAY, 'late')),
  ]
  const messages = events.map((event) => ({ key: 'one-partition', value: JSON.stringify(event) }))
  await producer.send({ topic: `${topics.prefix}market-data`, acks: -1, messages })
  const consumer = startConsumer({
    kafka: topics.kafka,
    db: lake.deps.db,
    group: `${topics.prefix}market-data`,
    topicPrefix: topics.prefix,
    subscriptions: observed,
    log: silentLogger,
    now: () => NOW,
  })
  try {
    const stored = await waitUntil(
      'the batch is stored',
      async () => {
        const { rows } = await lake.database.pool.query<{ source_id: string; sequence: string }>(
          'select source_id, sequence from trade where instrument_id = $1 order by sequence',
          [BTC],
        )
        return rows.some(({ source_id }) => source_id === 'late') ? rows : undefined
      },
      60_000,
    )
    expect(failures).toEqual([])
    expect(stored.map(({ source_id, sequence }) => [sequence, source_id])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', 'today'],
      ['4', 'late'],
    ])
  } finally {
    await consumer.stop()
  }
}, 120_000)
