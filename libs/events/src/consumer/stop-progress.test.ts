import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { createKafka } from '../kafka.ts'
import { readKafkaAddress } from '../kafka-address.ts'
import { watchProgress } from './progress.ts'

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

/** Resolves with a connection to Kafka whose data is kept back until `pass` is called. */
async function heldConnection() {
  const [client]: Socket[] = await once(server, 'connection')
  if (client === undefined) throw new Error('no connection')
  client.pause().on('error', () => {})
  return {
    client,
    pass: () => {
      const [broker = ''] = readKafkaAddress(testServers().kafkaBrokers).brokers
      const [host, port] = broker.split(':')
      client.pipe(connect(Number(port), host)).pipe(client)
    },
  }
}

test('a check that is still connecting when it is stopped closes its connection and requests nothing', async () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const held = heldConnection()
  let requests = 0
  const progress = watchProgress({
    kafka: createKafka({ brokers: `127.0.0.1:${port}`, clientId: 'test', log: silentLogger }),
    group: 'stopped',
    topics: [],
    log: silentLogger,
    nextOffsets: async () => {
      requests += 1
      return new Map()
    },
    now: () => new Date(),
    checkEveryMs: 20,
  })
  const { client, pass } = await held
  await progress.stop()
  expect(client.closed).toBe(false)
  pass()
  await waitUntil('the connection is closed', () => client.closed)
  expect(requests).toBe(0)
})
