import { Redis } from 'ioredis'
import { testServers } from '@tapeline/testing/test-servers'
import { scripts } from '../src/limiter/scripts/scripts.ts'

/** The limiter's scripts on the real Redis, with separate accounts per test. */
export const redis = new Redis(process.env.REDIS_URL ?? testServers().redisUrl, { lazyConnect: true })

export async function loadScripts(): Promise<void> {
  await redis.connect()
  await Promise.all(Object.values(scripts).map(({ source }) => redis.script('LOAD', source)))
}

type Question = {
  u?: number
  s?: number
  k?: number | ''
  /** `<mark>:<bits>` */
  loaded?: string
  asked?: number
  refused?: number
  report?: boolean
  limits?: number[]
  month?: [number, number, number]
  now?: number
  leases?: string[]
  /** Own caps of the key, in the order of limits; the last may be empty: no cap of concurrency. */
  caps?: (number | '')[]
  /** Shadow limits of a proposal, whose mark has eight characters. */
  shadow?: { mark: string; limits: number[] }
}
/** Id of the key `x`. */
export const KEY_ID = 'key-of-x'
export const UNLIMITED = [1e9, 1e9, 1e9, 1e9, 1e9, 1e6]
export const START = 1_700_000_000_000
export const MINUTE = Math.floor(START / 60_000)
let leases = 0

export function newAccount() {
  const id = crypto.randomUUID()
  return {
    id,
    keys: [`acct:{${id}}`, `windows:{${id}}`, `leases:{${id}}`, `usage:{${id}}:`] as const,
    keysOfKey: [`windows:{${id}}:${KEY_ID}`, `leases:{${id}}:${KEY_ID}`] as const,
  }
}
export type Account = ReturnType<typeof newAccount>

export async function knownAccount(): Promise<Account> {
  const account = newAccount()
  await redis.hset(account.keys[0], { u: '1', s: '1', 'k:x': '1', g: '1' })
  return account
}

const USUAL = {
  u: 1,
  s: 1,
  k: 1,
  loaded: '',
  asked: 1,
  refused: 0,
  report: false,
  limits: UNLIMITED,
  month: [0, 4e9, 5e9],
  now: START,
}

/** Counters of the key `x` are known too. */
export async function knownKey(): Promise<Account> {
  const account = await knownAccount()
  await redis.hset(account.keys[0], `c:${KEY_ID}`, '1')
  return account
}

export async function decide({ keys, keysOfKey }: Account, question: Question = {}): Promise<number[]> {
  const { u, s, k, loaded, asked, refused, report, limits, month, now } = { ...USUAL, ...question }
  const ids = question.leases ?? Array.from({ length: asked }, () => `l${(leases += 1)}`)
  const { caps, shadow } = question
  const [allKeys, capsArgv] = caps === undefined ? [keys, []] : [[...keys, ...keysOfKey], caps]
  const also = shadow === undefined ? (report ? '1' : '0') : '2'
  const cached = ['x', u, s, k, loaded, asked, refused, also, 10_000]
  const shadowArgv = shadow === undefined ? [] : [[shadow.mark, ...shadow.limits].join(' ')]
  const argv = [...cached, ...limits, ...month, now, k === '' ? '' : KEY_ID, ...capsArgv, ...shadowArgv, ...ids]
  const reply: unknown = await redis.evalsha(scripts.decide.sha, allKeys.length, ...allKeys, ...argv)
  if (!Array.isArray(reply)) throw new Error('no list')
  return reply.map(Number)
}

export const admitted = (reply: number[]) => reply[2] ?? -1

/** How many of the asked requests shadow limits admit, and the limits that deny the next one, as bits. */
export function shadowOf(reply: number[], asked: number, hasCaps = false): { admitted: number; mask: number } {
  const at = hasCaps ? 26 : 16
  return reply.length === at ? { admitted: asked, mask: 0 } : { admitted: reply[at] ?? -1, mask: reply[at + 1] ?? -1 }
}

export async function usageOf({ keys }: Account, atMs = START): Promise<Record<string, string>> {
  return redis.hgetall(`${keys[3]}${Math.floor(atMs / 3_600_000)}`)
}
