import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventEnvelope } from '@tapeline/contracts/event'
import { usageStreamDelivered } from '@tapeline/contracts/usage/events'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { readUsageTopic } from '@tapeline/testing/kafka/usage-topic'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test, vi } from 'vitest'
import { Value } from 'typebox/value'
import { addAccount } from '../../test/account.fixture.ts'
import { startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { startEdge, streamUsage } from '../../test/gateway.fixture.ts'
import { openStream } from '../../test/stream-client.fixture.ts'
import { startStreamService } from '../../test/stream-service.fixture.ts'

vi.setConfig({ testTimeout: 300_000 })
const SHIPPED_WITHIN_MS = 90_000
const journalDir = mkdtempSync(join(tmpdir(), 'killed-gateway-'))
const [edge, service, topics] = await Promise.all([
  startEdge(),
  startStreamService(),
  openTestTopics(['usage', 'identity', 'api-key', 'config']),
])
const env = { JOURNAL_DIR: journalDir, KAFKA_TOPIC_PREFIX: topics.prefix, MARKET_DATA_URL: service.url }
afterAll(async () => {
  await service.stop()
  await edge.stop()
  await topics.drop()
  rmSync(journalDir, { recursive: true, force: true, maxRetries: 5 })
})

async function inTopic(): Promise<string[]> {
  const messages = await readUsageTopic({
    kafkaBrokers: testServers().kafkaBrokers,
    topicPrefix: topics.prefix,
  })
  const events = messages.map(({ value }) => Value.Parse(EventEnvelope, JSON.parse(value)))
  return events.filter(({ type }) => type === usageStreamDelivered.type).map(({ id }) => id)
}

test('after kill -9 every written event is shipped; later deliveries of open streams are not counted', async () => {
  const account = addAccount(edge)
  service.onOpen = (socket) => socket.send('hello')
  const gateway = await startGatewayProcess(edge, env)
  const open = async () => {
    const stream = await openStream(`${gateway.url}/api/v1/stream`, { 'x-api-key': account.apiKey })
    await waitUntil('it delivers', () => stream.messages.length === 1)
    return stream
  }
  const [first, second, third] = [await open(), await open(), await open()]
  first.socket.close()
  second.socket.close()
  const written = () => streamUsage(journalDir).filter(({ ended }) => ended)
  await waitUntil(
    'two have ended',
    async () => written().length === 2 || (await inTopic()).length === 2,
    SHIPPED_WITHIN_MS,
  )
  gateway.child.kill('SIGKILL')
  await once(gateway.child, 'exit')
  expect((await third.closed).code).toBe(1006)
  const restarted = await startGatewayProcess(edge, env)
  await waitUntil('the journal is shipped', async () => new Set(await inTopic()).size === 2, SHIPPED_WITHIN_MS)
  expect(await restarted.stop()).toBe(0)
  // A kill between an acknowledgement and its record leads to the same event again: its readers keep one of each id.
  expect(new Set(await inTopic()).size).toBe(2)
})
