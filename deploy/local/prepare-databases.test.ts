import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from './database-queries.ts'
import { freePorts } from './ports/ports.ts'
import { createDatabases, makeTopics } from './prepare-databases.ts'
import { databaseName, databaseUrl } from './processes/process-environment.ts'
import { readSecrets, SERVICES } from './secrets.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-prepare-'))
const { databaseUrl: serverUrl, redisUrl, kafkaBrokers } = testServers()
const kafka = Number(kafkaBrokers.split(':')[1])
const unique = crypto.randomUUID().slice(0, 8)
const environment = {
  dir,
  ports: { ...(await freePorts()), kafka },
  secrets: readSecrets(dir),
  addresses: { databaseUrl: serverUrl, redisUrl, kafkaBrokers: `127.0.0.1:${kafka}` },
  databasePrefix: `test_${unique}_`,
  topicPrefix: `test-${unique}.`,
  gateways: 1,
  streamPorts: [],
}

beforeAll(() => createDatabases(environment))
afterAll(async () => {
  await withServer(serverUrl, async (client) => {
    for (const service of SERVICES) {
      const name = databaseName(service, environment.databasePrefix)
      await client.query(`drop database ${name} with (force)`)
      await client.query(`drop role ${name}`)
    }
  })
  rmSync(dir, { recursive: true, force: true })
})

async function query(sql: string): Promise<unknown[]> {
  return withServer(databaseUrl('config', environment), async (client) => (await client.query<object>(sql)).rows)
}

test('offsets of a former Kafka are deleted once, before the first topics of a new one; databases without any stay', async () => {
  await query('create table consumer_offset (topic text, next_offset bigint)')
  const insert = `insert into consumer_offset values ('identity', 17)`
  await query(insert)
  mkdirSync(join(dir, 'kafka'), { recursive: true })
  expect(await makeTopics(environment)).toContain('created')
  expect(await query('select topic from consumer_offset')).toEqual([])
  await query(insert)
  expect(await makeTopics(environment)).toBe('up to date')
  expect(await query('select topic from consumer_offset')).toEqual([{ topic: 'identity' }])
})
