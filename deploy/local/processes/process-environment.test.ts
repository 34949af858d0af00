import { expect, test, vi } from 'vitest'
import { readPorts } from '../ports/ports.ts'
import {
  gatewayEnvironment,
  internalKeysOf,
  serviceEnvironment,
  streamEnvironment,
  type BaseEnvironment,
} from './process-environment.ts'

const environment: BaseEnvironment = {
  dir: '/data',
  ports: readPorts({}),
  secrets: {
    postgresPassword: 'p',
    cursorSecret: 'cursor',
    webhookKey: 'webhooks',
    evidenceKey: 'evidence',
    identitySecret: 'identity',
    oidcClientSecret: 'oidc',
    databasePasswords: { 'market-data': 'own-password' },
    internalKeys: { 'gateway>audit': 'a', 'gateway>config': 'b', 'api-key>audit': 'c', 'audit>api-key': 'd' },
  },
  addresses: { databaseUrl: 'postgres://postgres:p@db:5432', redisUrl: 'redis://r', kafkaBrokers: 'k:1' },
  databasePrefix: 'tapeline_',
  topicPrefix: '',
  gateways: 2,
  streamPorts: [],
}

test('where streams have their own processes, gateways share them and market-data serves none', () => {
  const split = { ...environment, streamPorts: [7001, 7002] }
  const urls = [1, 2, 3].map((number) => gatewayEnvironment(number, 3001, split)['STREAM_URL'])
  expect(urls).toEqual(['http://127.0.0.1:7001', 'http://127.0.0.1:7002', 'http://127.0.0.1:7001'])
  expect(serviceEnvironment('market-data', split)['ROLES']).not.toContain('stream')
  expect(streamEnvironment(7001, split)).toMatchObject({ ROLES: 'stream', PORT: '7001' })
  expect(gatewayEnvironment(1, 3001, environment)['STREAM_URL']).toBeUndefined()
})

test('a process gets only the internal keys in which it is caller or audience', () => {
  const { internalKeys } = environment.secrets
  expect(internalKeysOf('audit', internalKeys)).toBe('gateway>audit=a,api-key>audit=c,audit>api-key=d')
  expect(internalKeysOf('config', internalKeys)).toBe('gateway>config=b')
  expect(internalKeysOf('identity', internalKeys)).toBe('')
})

test('no process gets the credentials of the backups', () => {
  vi.stubEnv('BACKUP_ACCESS_KEY_ID', 'some-key')
  vi.stubEnv('BACKUP_SECRET_ACCESS_KEY', 'some-secret')
  const environments = JSON.stringify([
    serviceEnvironment('market-data', environment),
    gatewayEnvironment(1, 3001, environment),
  ])
  vi.unstubAllEnvs()
  expect(environments).not.toMatch(/some-key|some-secret/)
})

test('a service sees its own database with its own role, never the server', () => {
  const env = serviceEnvironment('market-data', environment)
  expect(env.DATABASE_URL).toBe('postgres://tapeline_market_data:own-password@db:5432/tapeline_market_data')
  expect(env.CURSOR_SECRET).toBe('cursor')
  expect(env).not.toHaveProperty('WEBHOOK_KEYS')
  expect(serviceEnvironment('audit', environment)).toMatchObject({
    CURSOR_SECRET: 'cursor',
    WEBHOOK_KEYS: 'webhooks',
    EVIDENCE_KEYS: 'evidence',
  })
  expect(serviceEnvironment('identity', environment)).toMatchObject({ IDENTITY_SECRET: 'identity' })
  expect(serviceEnvironment('config', environment)).not.toHaveProperty('CURSOR_SECRET')
  expect(serviceEnvironment('config', environment)).not.toHaveProperty('IDENTITY_SECRET')
})

test('a gateway has no database, its own journal, and the pages in its CORS list', () => {
  const env = gatewayEnvironment(2, 4444, environment)
  expect(env).toMatchObject({
    PORT: '4444',
    JOURNAL_DIR: '/data/journal-2',
    GATEWAYS_EXPECTED: '2',
    CORS_ORIGINS: 'http://localhost:3000,http://127.0.0.1:3000',
    MARKET_DATA_URL: 'http://127.0.0.1:3015',
  })
  expect(env).not.toHaveProperty('DATABASE_URL')
})
