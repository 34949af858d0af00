import { Type } from 'typebox'
import { accountHashKey, keyVersionField, SUBSCRIPTION_VERSION_FIELD, USER_VERSION_FIELD } from '../account-versions.ts'
import { createLogger } from '../logger.ts'
import { readConfig, secret } from '../read-config.ts'
import { connectRedis, type RedisClient, redisReady, serversOf } from '../redis.ts'

const READY_WITHIN_MS = 10_000
const COMMAND_TIMEOUT_MS = 10_000
/** Keys per SCAN step, which bounds how long it blocks Redis. */
const KEYS_PER_STEP = 500
const KEYS = accountHashKey('*')
const KEY_VERSIONS = keyVersionField('')
const Environment = Type.Object({ REDIS_URL: secret(Type.String({ minLength: 1 })) })

/**
 * Removes the versions of all accounts; gateways then load every record from its owner. Counters are unchanged.
 * @returns the number of accounts that had versions
 */
async function forgetVersions(redis: RedisClient): Promise<number> {
  let accounts = 0
  for (const server of serversOf(redis)) {
    const pages: AsyncIterable<string[]> = server.scanStream({ match: KEYS, count: KEYS_PER_STEP })
    for await (const keys of pages) {
      const forgotten = await Promise.all(keys.map((key) => forgetVersionsOf(redis, key)))
      accounts += forgotten.filter(Boolean).length
    }
  }
  return accounts
}

async function forgetVersionsOf(redis: RedisClient, key: string): Promise<boolean> {
  const versions = (await redis.hkeys(key)).filter(isVersion)
  return versions.length > 0 && (await redis.hdel(key, ...versions)) > 0
}

function isVersion(field: string): boolean {
  return field === USER_VERSION_FIELD || field === SUBSCRIPTION_VERSION_FIELD || field.startsWith(KEY_VERSIONS)
}

// After a restore, Redis has the versions from after the backup: gateways would reject each older record as outdated.
// Run while no gateway runs, because a running one writes the versions of its cached records again.
const { REDIS_URL: url } = readConfig(Environment, process.env)
const redis = connectRedis({
  url,
  logger: createLogger('forget-versions', 'fatal'),
  commandTimeoutMs: COMMAND_TIMEOUT_MS,
})
try {
  if (!(await redisReady(redis, READY_WITHIN_MS))) throw new Error(`no answer within ${READY_WITHIN_MS / 1_000} s`)
  process.stdout.write(`redis: versions of ${await forgetVersions(redis)} accounts removed\n`)
} catch (error) {
  process.stderr.write(`redis: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  redis.disconnect()
}
