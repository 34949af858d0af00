import { WebSocketServer } from 'ws'
import { createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { Registry } from '@tapeline/service/metrics'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../../src/app.ts'
import { createDeps } from '../../src/deps.ts'
import { StreamServer } from '../../src/stream/stream-server.ts'

/**
 * The server under measurement as a separate process: the role `stream`, or a plain `ws` server that echoes what it
 * receives and sends a given text to all. On `figures` it reports its CPU time and memory.
 */
const { BENCH_SERVER = 'stream', DATABASE_URL = '', KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = process.env
const registry = new Registry()
const sendToAll = BENCH_SERVER === 'stream' ? await startStream() : startPlain()

process.on('disconnect', () => process.exit())
process.on('message', async (message: { toAll?: string }) => {
  if (message.toAll !== undefined) return sendToAll(message.toAll)
  for (let round = 0; round < 3; round += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({
    cpuMs: (user + system) / 1e3,
    rssBytes: rss,
    heapBytes: heapUsed,
    metrics: await registry.metrics(),
  })
})

async function startStream(): Promise<(text: string) => void> {
  const pool = createPool({ url: DATABASE_URL, connectionsMax: 8, applicationName: 'stream-bench' })
  const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
  const kafka = createKafka({ brokers: KAFKA_BROKERS, clientId: 'stream-bench', log: silentLogger })
  const logger = silentLogger
  const streams = new StreamServer({ deps, kafka, topicPrefix: KAFKA_TOPIC_PREFIX, logger, registry })
  const app = await createApp(deps, { logger, internalKeys: testInternalKeys, checks: {}, streams })
  await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 })
  await streams.start()
  const address = app.server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
  return () => undefined
}

function startPlain(): (text: string) => void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 4_096 }, () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
  })
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })))
  return (text) => {
    for (const client of server.clients) client.send(text)
  }
}
