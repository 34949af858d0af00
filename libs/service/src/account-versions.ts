import type { RedisClient } from './redis.ts'

/** One hash per account; all keys of the limiter share its hash tag, so a Redis Cluster works unchanged. */
export function accountHashKey(accountId: string): string {
  return `acct:{${accountId}}`
}

/** Field of the user's version, of the subscription's, of an API key's, and the mark that counters are known. */
export const USER_VERSION_FIELD = 'u'
export const SUBSCRIPTION_VERSION_FIELD = 's'
export const SEEDED_FIELD = 'g'
export function keyVersionField(kid: string): string {
  return `k:${kid}`
}

/** The mark that the counters of a key with caps of its own are known, and since when (ms). */
export function keyCountersField(keyId: string): string {
  return `c:${keyId}`
}

const RAISE = `
local have = redis.call('HGET', KEYS[1], ARGV[1])
if not have or tonumber(have) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1`

export type AccountVersion = { accountId: string; field: string; version: number }

/** Writes a version, upwards only. False when Redis did not answer: the outbox relay will write it again. */
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

/** For what no gateway can hold any more; without Redis the field stays, which harms nobody. */
export async function forgetVersion(
  redis: RedisClient,
  { accountId, field }: Pick<AccountVersion, 'accountId' | 'field'>,
): Promise<void> {
  await redis.hdel(accountHashKey(accountId), field).catch(() => {})
}

/** A new account's counters are known to be empty: writes the seeding mark. Only sign-up calls this. */
export async function markSeeded(redis: RedisClient, accountId: string, nowMs: number): Promise<boolean> {
  try {
    await redis.hsetnx(accountHashKey(accountId), SEEDED_FIELD, String(nowMs))
    return true
  } catch {
    return false
  }
}

/** What an answer says when Redis was not told at once. */
export const EFFECTIVE_WITHIN_SECONDS = 5
