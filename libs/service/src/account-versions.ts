import type { RedisClient } from './redis.ts'

/** Key of an account's hash; all limiter keys share its hash tag, so they are in one slot of a Redis Cluster. */
export function accountHashKey(accountId: string): string {
  return `acct:{${accountId}}`
}

/**
 * Fields of the user's and the subscription's version, prefix of an API key's, and the mark that counters are
 * initialized.
 */
export const USER_VERSION_FIELD = 'u'
export const SUBSCRIPTION_VERSION_FIELD = 's'
export const SEEDED_FIELD = 'g'
/** Field of a key in the hash of its account’s versions in Redis. */
export function keyVersionField(kid: string): string {
  return `k:${kid}`
}

/** Field that marks the counters of a key with its own limits as initialized, and since when (ms). */
export function keyCountersField(keyId: string): string {
  return `c:${keyId}`
}

/** Fields of the windows of limits that are proposed for a key. */
export function keyShadowFields(keyId: string): readonly string[] {
  return [`w:${keyId}`, `x:${keyId}`]
}

const RAISE = `
local have = redis.call('HGET', KEYS[1], ARGV[1])
if not have or tonumber(have) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1`

export type AccountVersion = { accountId: string; field: string; version: number }

/**
 * Writes a version unless a higher one is stored.
 * @returns false when Redis did not respond: the outbox relay will write it
 */
export async function raiseVersion(
  redis: RedisClient,
  { accountId, field, version }: AccountVersion,
): Promise<boolean> {
  try {
    await redis.eval(RAISE, 1, accountHashKey(accountId), field, version)
    return true
  } catch {
    return false
  }
}

/**
 * Deletes a version that no gateway can still have cached, or a field that only such a version used. If Redis is
 * unavailable the field remains, without effect.
 */
export async function deleteVersion(
  redis: RedisClient,
  { accountId, field }: Pick<AccountVersion, 'accountId' | 'field'>,
): Promise<void> {
  await redis.hdel(accountHashKey(accountId), field).catch(() => {})
}

/** Marks the counters of a new account as initialized, because they are empty. Only sign-up calls this. */
export async function markSeeded(redis: RedisClient, accountId: string, nowMs: number): Promise<boolean> {
  try {
    await redis.hsetnx(accountHashKey(accountId), SEEDED_FIELD, String(nowMs))
    return true
  } catch {
    return false
  }
}

/** Seconds until a change takes effect when the write to Redis failed; part of the response. */
export const EFFECTIVE_WITHIN_SECONDS = 5
