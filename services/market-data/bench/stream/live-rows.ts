import { createKafka, createProducer } from '@tapeline/events/kafka'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { someTrade } from '../../test/records.fixture.ts'
import { createDeps } from '../../src/deps.ts'
import { registerInstrument } from '../../src/instruments/register-instrument.ts'
import { migrations } from '../../src/migrations/all.ts'
import type { Row } from '../../src/records/record-queries.ts'
import { storeAtOnce } from '../../src/store/store-records.ts'
import { encodeStoredRows } from '../../src/stream/live-message.ts'
import { listRowsBySequence } from '../../src/stream/tail-queries.ts'
import type { Tables } from '../../src/tables.ts'

const NS_PER_MS = 1_000_000n
const MAX_NS = '9223372036854775807'

/** Instruments with one stored trade each, and a producer that announces further ones as the consumer would. */
export async function openLiveRows(instruments: number) {
  const database = await openTestDatabase<Tables>(migrations)
  const topics = await openTestTopics(['market-data', 'market-data-live'])
  const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
  const symbols = Array.from({ length: instruments }, (_value, index) => `S${index}-USDT`)
  const templates: Row[] = []
  for (const symbol of symbols) {
    const [base = '', quote = ''] = symbol.split('-')
    const spec = { venue: 'sim', symbol, venueSymbol: symbol, base, quote, sizeUnit: base, kind: 'spot' } as const
    const instrumentId = await registerInstrument(deps.db, { ...spec, tsEventPrecision: 'ns' })
    const trades = [someTrade('t0', BigInt(Date.now()) * NS_PER_MS, { size: '0.0123' })]
    await storeAtOnce(database.pool, [{ instrumentId, trades, l2Events: [] }])
    const range = { channel: 'trade', instrumentId, after: 0, through: 1, from: '0', to: MAX_NS, limit: 1 } as const
    templates.push(...(await listRowsBySequence(database.pool, range)))
  }
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'stream-bench', log: silentLogger })
  const producer = createProducer(kafka)
  await producer.connect()
  const sequences = symbols.map(() => 1)
  let waiting: { key: string; value: string }[] = []
  let sending: Promise<void> | undefined

  /** One request at a time, as the consumer sends them; rows that arrive in the meantime are sent in the next one. */
  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const messages = waiting
      waiting = []
      await producer.send({ topic: `${topics.prefix}market-data-live`, acks: -1, messages })
    }
    sending = undefined
  }

  return {
    symbols,
    environment: { DATABASE_URL: database.url, KAFKA_TOPIC_PREFIX: topics.prefix },
    /** The next records of some instruments, in one request to Kafka. */
    async announce(indexes: readonly number[], records: number): Promise<void> {
      const nowNs = BigInt(Date.now()) * NS_PER_MS
      const messages = indexes.map((index) => {
        const first = (sequences[index] ?? 0) + 1
        const last = first + records - 1
        sequences[index] = last
        const rows = Array.from({ length: records }, (_value, n) =>
          rowOf(templates[index] ?? [], first + n, String(nowNs), String(nowNs + BigInt(n))),
        )
        const instrumentId = Number(templates[index]?.[0])
        const value = encodeStoredRows({ channel: 'trade', instrumentId, first, last, rows })
        return { key: `trade ${instrumentId}`, value }
      })
      waiting.push(...messages)
      await (sending ??= sendWaiting())
    },
    async close() {
      await producer.disconnect()
      await topics.drop()
      await database.drop()
    },
  }
}
export type LiveRows = Awaited<ReturnType<typeof openLiveRows>>

/** The columns of a trade are those of COLUMNS. */
function rowOf(template: Row, sequence: number, tsRecv: string, tsEvent: string): Row {
  const row = [...template]
  row[1] = String(sequence)
  row[2] = tsEvent
  row[3] = tsRecv
  row[10] = `t${sequence}`
  return row
}
