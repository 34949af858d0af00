import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfinedKafka, startConfinedKafka } from '@tapeline/testing/kafka/confined-kafka'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { testServers } from '@tapeline/testing/test-servers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPasswords } from '../../deploy/containers/passwords.ts'
import { secretFiles } from '../../deploy/containers/secret-files.ts'
import { readSecrets } from '../../deploy/local/secrets.ts'
import { readCompose } from '../../deploy/manifests/compose.ts'
import { runningPlatform } from '../platform/running-platform.ts'
import { authenticateRequest, handshakeRequest, metadataRequest } from './kafka-requests.ts'

const platform = runningPlatform()
const dir = mkdtempSync(join(tmpdir(), 'confined-'))
const passwords = readPasswords(dir)
/** The files that `node deploy/make-secrets.ts` writes for Compose and for a cluster. */
const files = secretFiles(readSecrets(dir), passwords)
const { services, secrets } = readCompose('docker-compose.yml')
const ANSWER_WITHIN_MS = 60_000
const SILENT_MS = 3_000
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))

const accountVersions = 'libs/service/src/account-versions.ts'
/** Where the keys that each user accesses are built. */
const LIMITS_SOURCES = {
  gateway: ['gateway/src/**/*.ts', accountVersions],
  identity: ['services/identity/src/**/*.ts', accountVersions],
  'api-key': ['services/api-key/src/**/*.ts', accountVersions],
  config: ['services/config/src/**/*.ts', accountVersions],
  audit: ['services/audit/src/**/*.ts', accountVersions],
}

describe.each([
  {
    name: 'redis-limits',
    users: passwords.redisLimits,
    own: 'acct:{a}',
    foreign: '{jobs}:identity:wait',
    sources: LIMITS_SOURCES,
  },
  {
    name: 'redis-jobs',
    users: passwords.redisJobs,
    own: '{jobs}:audit:wait',
    foreign: '{jobs}:identity:wait',
    sources: {},
  },
])('$name', ({ name, users, own, foreign, sources }) => {
  let server: RedisServer
  beforeAll(async () => {
    const aclfile = join(dir, `${name}.acl`)
    writeFileSync(aclfile, 'user default on nopass ~* &* +@all\n')
    server = await RedisServer.start(join(dir, name), { aclfile })
    writeFileSync(aclfile, asUnderstood(files[`${name}.acl`] ?? '', server.version))
    await server.runCommand('ACL', 'LOAD')
  })
  afterAll(() => server?.stop())
  const sendLines = (...lines: string[]) => exchange(server.port, `${[...lines, 'QUIT'].join('\r\n')}\r\n`)

  test('Compose starts Redis with these users', () => {
    expect(services[name]?.command?.join(' ')).toContain(`--aclfile /run/secrets/${name}.acl`)
    expect(secrets?.[`${name}.acl`]?.file).toBe(`deploy/secrets/${name}.acl`)
  })

  test('rejects connections without a password', async () => {
    for (const line of [
      'PING',
      `GET ${own}`,
      'FLUSHALL',
      'CONFIG GET *',
      'ACL LIST',
      'AUTH audit wrong',
      'AUTH wrong',
    ]) {
      const answer = await sendLines(line)
      expect(answer, line).toMatch(/^-(NOAUTH|WRONGPASS|ERR)/)
    }
  })

  test.each(Object.entries(sources))('%s may access every key that its code builds', async (user, files) => {
    for (const key of keysBuiltIn(files)) {
      expect(await sendLines(`AUTH ${user} ${users[user]}`, `EXISTS ${key}`), key).toBe('+OK\r\n:0\r\n+OK\r\n')
    }
  })

  test('restricts each process to its own keys and to commands that do not administer the server', async () => {
    const enter = `AUTH audit ${users['audit']}`
    expect(await sendLines(enter, `EXISTS ${own}`)).toBe('+OK\r\n:0\r\n+OK\r\n')
    for (const line of [
      `GET ${foreign}`,
      `DEL ${foreign}`,
      'FLUSHALL',
      'CONFIG GET *',
      'ACL LIST',
      'KEYS *',
      'DEBUG SLEEP 0',
      'SHUTDOWN',
    ]) {
      expect(await sendLines(enter, line), line).toMatch(/^\+OK\r\n-(NOPERM|ERR)/)
    }
  })
})

describe('Kafka', () => {
  let kafka: ConfinedKafka
  beforeAll(async () => {
    const environment = services['kafka']?.environment ?? {}
    kafka = await startConfinedKafka({ dir: join(dir, 'kafka'), environment, jaas: files['kafka-jaas.conf'] ?? '' })
  })
  afterAll(() => kafka?.stop())

  test('closes connections without a password; a server without passwords answers the same request', async () => {
    expect(await exchange(kafka.port, metadataRequest())).toBe('')
    const [open = ''] = testServers().kafkaBrokers.split(',')
    expect((await exchange(Number(open.split(':')[1]), metadataRequest())).length).toBeGreaterThan(4)
  })

  test('rejects a wrong password and accepts the right one', async () => {
    const gateway = (password: string) =>
      exchange(kafka.port, Buffer.concat([handshakeRequest(), authenticateRequest('gateway', password)]))
    expect(await gateway('wrong')).toContain('Authentication failed')
    expect(await gateway(passwords.kafka['gateway'] ?? '')).not.toContain('Authentication failed')
  })
})

describe('PostgreSQL', () => {
  test('rejects connections without a password or with a wrong one', async () => {
    const { hostname, port } = new URL(testServers().databaseUrl)
    for (const url of [
      `postgres://postgres@${hostname}:${port}/postgres`,
      `postgres://postgres:wrong@${hostname}:${port}/postgres`,
    ]) {
      await expect(query(url, 'select 1')).rejects.toThrow(/password/)
    }
    expect(services['postgres']?.environment?.['POSTGRES_INITDB_ARGS']).toContain('--auth-host=scram-sha-256')
  })

  test("audit's user reads its own tables and cannot even connect to identity's", async () => {
    const audit = new URL(platform.auditDatabaseUrl)
    expect(await query(audit.href, 'select count(*) from logged_request')).toHaveLength(1)
    const identity = new URL(audit)
    identity.pathname = new URL(platform.identityDatabaseUrl).pathname
    await expect(query(identity.href, 'select 1')).rejects.toThrow(/permission denied for database/)
  })
})

/** A key per template that begins with a name and a hash tag, such as `windows:{${accountId}}`. */
function keysBuiltIn(patterns: readonly string[]): string[] {
  const files = globSync(patterns).filter((file) => !file.includes('.test.'))
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`(\w+):\{\$/g)].map(([, name]) => name),
  )
  if (names.length === 0) throw new Error(`no key is built in ${patterns.join(', ')}`)
  return [...new Set(names)].map((name) => `${name}:{a}`)
}

/** Redis before version 7 does not support read-only key permissions. */
function asUnderstood(acl: string, version: string): string {
  return Number(version.split('.')[0]) >= 7 ? acl : acl.replaceAll('%R~', '~')
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, password: new URL(url).password || ' ' })
  try {
    await client.connect()
    return (await client.query<object>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Sends bytes and returns everything received until the server closes or is silent. */
async function exchange(port: number, bytes: Buffer | string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  const timer = setTimeout(() => reject(new Error('no answer and no end')), ANSWER_WITHIN_MS)
  let answer = ''
  let quiet: NodeJS.Timeout | undefined
  const finish = () => resolve(answer)
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    clearTimeout(quiet)
    quiet = setTimeout(finish, SILENT_MS)
  })
  socket.on('error', finish)
  socket.on('close', finish)
  return promise.finally(() => {
    clearTimeout(timer)
    clearTimeout(quiet)
    socket.destroy()
  })
}
