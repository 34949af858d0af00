import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfinedKafka, startConfinedKafka } from '@tapeline/testing/kafka/confined-kafka'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Admin } from 'kafkajs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPasswords } from '../../../../deploy/containers/passwords.ts'
import { secretFiles } from '../../../../deploy/containers/secret-files.ts'
import { readSecrets } from '../../../../deploy/local/secrets.ts'
import { readCompose } from '../../../../deploy/manifests/compose.ts'
import { createKafka } from '../kafka.ts'
import { createTopics } from './create-topics.ts'
import { aclsOf } from './grants.ts'

const dir = mkdtempSync(join(tmpdir(), 'grants-'))
const passwords = readPasswords(dir)
const users = ['admin', 'migrate', 'scaler'] as const
const clients = {} as Record<(typeof users)[number], Admin>
let kafka: ConfinedKafka

beforeAll(async () => {
  const jaas = secretFiles(readSecrets(dir), passwords)['kafka-jaas.conf'] ?? ''
  const environment = readCompose('docker-compose.yml').services['kafka']?.environment ?? {}
  kafka = await startConfinedKafka({ dir: join(dir, 'kafka'), environment, jaas })
  for (const user of users) {
    const brokers = `kafka://${user}:${passwords.kafka[user]}@127.0.0.1:${kafka.port}`
    clients[user] = createKafka({ brokers, clientId: user, log: silentLogger }).admin()
    await clients[user].connect()
  }
  await clients.admin.createAcls({ acl: aclsOf('') })
}, 180_000)
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.disconnect()))
  await kafka?.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

test(
  'migrations may create topics, and the autoscaler may query the lag of consumers',
  { timeout: 120_000 },
  async () => {
    const { migrate, scaler } = clients
    const topics = ['usage', 'usage.dead'].map((topic) => ({ topic, numPartitions: 1, replicationFactor: -1 }))
    await waitUntil('the rights are in effect', async () => createTopics(migrate, topics).then(() => true))
    expect(await createTopics(migrate, topics)).toBe(false)
    await expect(migrate.deleteTopics({ topics: ['usage'] })).rejects.toThrow(/authoriz/i)

    expect(await scaler.fetchTopicOffsets('usage')).toMatchObject([{ partition: 0, high: '0' }])
    const fetchOffsets = (groupId: string) => scaler.fetchOffsets({ groupId, topics: ['usage'] })
    const [lag] = await waitUntil('the group has a coordinator', () => fetchOffsets('api-key-usage'))
    expect(lag?.partitions).toMatchObject([{ partition: 0, offset: '-1' }])
    await expect(scaler.deleteTopics({ topics: ['usage'] })).rejects.toThrow(/authoriz/i)
    await expect(fetchOffsets('another')).rejects.toThrow(/group/i)
  },
)
