import { globSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sendAgain } from '@tapeline/testing/api-client'
import { searchDatabases } from '@tapeline/testing/search-databases'
import { searchRedis } from '@tapeline/testing/redis/search-redis'
import { testServers } from '@tapeline/testing/test-servers'
import { messagesSince, topicEnds } from '@tapeline/testing/kafka/topics-since'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test, vi } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { requestsOf, sendAll, type Watched, watchUser } from './mixed-requests.ts'

vi.setConfig({ testTimeout: 600_000 })
const platform = runningPlatform()
/** More of them, and a file for the result: `node tests/attacks/measure-secrets.ts`. */
const ACCOUNTS = Number(process.env['SECRETS_ACCOUNTS'] ?? '8')
const REQUESTS = 125 * ACCOUNTS
const RESULT_FILE = process.env['SECRETS_RESULT']
const SIGN_UPS_AT_ONCE = 8
const APPLIED_WITHIN_MS = 60_000
/** Mails legitimately contain links; demo accounts and the platform's secrets are files for its operator. */
const NOT_OURS = /^(mail|run|postgres|redis|kafka)\//

test(`after ${REQUESTS} mixed requests no secret is in a log, a file, a topic, a Redis key or a database`, async () => {
  const prefix = new URL(platform.auditDatabaseUrl).pathname.slice(1).replace(/_audit$/, '')
  const addresses = { kafkaBrokers: testServers().kafkaBrokers, topicPrefix: `${prefix}-` }
  const since = await topicEnds(addresses)
  const watched = await watchUsers()
  const requests = watched.flatMap(requestsOf)
  const statuses = await sendAll(requests)
  expect(requests.length).toBeGreaterThanOrEqual(REQUESTS)
  expect(statuses.get(200)).toBeGreaterThan(ACCOUNTS)
  expect(statuses.get(401)).toBeGreaterThan(ACCOUNTS)
  await Promise.all(watched.map(({ account, apiKey }) => areCounted(account.user.id, apiKey)))

  const secrets = watched.flatMap((one) => Object.entries(one.secrets))
  const texts = secrets.flatMap(([, secret]) => spellings(secret))
  const nameOf = (text: string) => secrets.find(([, secret]) => spellings(secret).includes(text))?.[0]
  const inText = (where: string, text: string) =>
    texts.filter((one) => text.includes(one)).map((one) => `${where}: ${nameOf(one)}`)

  const files = globSync('**/*', { cwd: dirname(platform.logFile) }).filter((file) => !NOT_OURS.test(file))
  const contents = files.map((file) => ({ file, text: readIfFile(join(dirname(platform.logFile), file)) }))
  expect(contents.some(({ file, text }) => file === 'processes.log' && text.includes('"ready"'))).toBe(true)
  const inFiles = contents.flatMap(({ file, text }) => inText(file, text))

  const messages = await messagesSince(addresses, since)
  expect(messages.filter(({ text }) => text.includes(watched[0]?.account.user.id ?? '-')).length).toBeGreaterThan(10)
  const inMessages = messages.flatMap(({ topic, text }) => inText(topic, text))

  const inRedis = await searchRedis(platform.redisUrl, texts)
  expect(inRedis.searched).toBeGreaterThan(ACCOUNTS)

  const databases = { databaseUrl: testServers().databaseUrl, prefix: `${prefix}_` }
  const inDatabases = await searchDatabases(databases, texts)
  expect(inDatabases.searched).toBeGreaterThan(REQUESTS / ACCOUNTS)
  const found = [...inFiles, ...inMessages, ...inRedis.found, ...inDatabases.found]
  // The same search finds values that may be stored, so it works.
  expect((await searchDatabases(databases, [watched[0]?.account.email ?? '-'])).found).not.toEqual([])
  expect((await searchRedis(platform.redisUrl, [watched[0]?.account.user.id ?? '-'])).found).not.toEqual([])
  const searched = {
    files: contents.length,
    messages: messages.length,
    redisKeys: inRedis.searched,
    rows: inDatabases.searched,
  }
  saveResult({ requests: requests.length, secrets: secrets.length, searched, found: found.length })
  expect(found).toEqual([])
})

async function watchUsers(): Promise<Watched[]> {
  const watched: Watched[] = []
  while (watched.length < ACCOUNTS) {
    const count = Math.min(SIGN_UPS_AT_ONCE, ACCOUNTS - watched.length)
    watched.push(...(await Promise.all(Array.from({ length: count }, watchUser))))
  }
  return watched
}

function saveResult(result: object): void {
  if (RESULT_FILE === undefined) return
  writeFileSync(RESULT_FILE, `${JSON.stringify({ at: new Date().toISOString(), ...result }, null, 2)}\n`)
}

/** Plain, URL-encoded, hexadecimal as PostgreSQL prints bytes, and base64. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      bytes.toString('hex'),
      bytes.toString('base64').replace(/=+$/, ''),
    ]),
  ]
}

/** Waits until everything before this request has been processed. */
async function areCounted(accountId: string, apiKey: string): Promise<void> {
  const { headers } = await sendAgain(`${platform.gatewayUrl}/api/v1/trades/list`, {
    token: apiKey,
    body: { venues: ['sim'] },
  })
  const last = headers.get('x-request-id')
  const find = async () =>
    (await usageRowsOf(platform.auditDatabaseUrl, accountId)).some((row) => row.requestId === last)
  await waitUntil('the last request is counted', find, APPLIED_WITHIN_MS)
}

/** The lock of a journal is a symbolic link to no file; a shipped segment of a journal is deleted. */
function readIfFile(path: string): string {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'latin1') : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
