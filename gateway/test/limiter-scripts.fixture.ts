import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { scripts } from '../src/limiter/scripts/scripts.ts'

const MONITORED_WITHIN_MS = 60_000

/** The limiter's scripts on the real Redis, with separate accounts per test. */
export const redis = new Redis(process.env.REDIS_URL ?? testServers().redisUrl, { lazyConnect: true })

export async function loadScripts(): Promise<void> {
  // A file before this one in the same worker may still be disconnecting.
  await waitUntil('the connection is closed', () => redis.status === 'wait' || redis.status === 'end')
  await redis.connect()
  await Promise.all(Object.values(scripts).map(({ source }) => redis.script('LOAD', source)))
}

export type Proposed = { mark: string; limits: number[] }
type DecideOptions = {
  u?: number
  s?: number
  k?: number | ''
  /** `<mark>:<bits>` */
  loaded?: string
  requested?: number
  refused?: number
  report?: boolean
  limits?: number[]
  month?: [number, number, number]
  now?: number
  leases?: string[]
  /** Own caps of the key, in the order of limits; the last may be empty: no cap of concurrency. */
  caps?: (number | '')[]
  /** Shadow limits of a proposal, whose mark has eight characters: of the tier, and of the key `x`. */
  shadow?: Proposed | undefined
  keyShadow?: Proposed | undefined
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

export async function seededAccount(): Promise<Account> {
  const account = newAccount()
  await redis.hset(account.keys[0], { u: '1', s: '1', 'k:x': '1', g: '1' })
  return account
}

const DEFAULTS = {
  u: 1,
  s: 1,
  k: 1,
  loaded: '',
  requested: 1,
  refused: 0,
  report: false,
  limits: UNLIMITED,
  month: [0, 4e9, 5e9],
  now: START,
}

/** The counters of the key `x` are seeded as well. */
export async function accountWithSeededKey(): Promise<Account> {
  const account = await seededAccount()
  await redis.hset(account.keys[0], `c:${KEY_ID}`, '1')
  return account
}

export async function decide({ keys, keysOfKey }: Account, options: DecideOptions = {}): Promise<number[]> {
  const { u, s, k, loaded, requested, refused, report, limits, month, now } = { ...DEFAULTS, ...options }
  const ids = options.leases ?? Array.from({ length: requested }, () => `l${(leases += 1)}`)
  const { caps, shadow, keyShadow } = options
  const [allKeys, capsArgv] = caps === undefined ? [keys, []] : [[...keys, ...keysOfKey], caps]
  const mode = report ? '1' : modeOf(shadow !== undefined, keyShadow !== undefined)
  const cached = ['x', u, s, k, loaded, requested, refused, mode, 10_000]
  const proposals = [shadow, keyShadow].filter((one) => one !== undefined)
  const shadowArgv = proposals.map(({ mark, limits: proposed }) => [mark, ...proposed].join(' '))
  const argv = [...cached, ...limits, ...month, now, k === '' ? '' : KEY_ID, ...capsArgv, ...shadowArgv, ...ids]
  const reply: unknown = await redis.evalsha(scripts.decide.sha, allKeys.length, ...allKeys, ...argv)
  if (!Array.isArray(reply)) throw new Error('no list')
  return reply.map(Number)
}

export const admitted = (reply: number[]) => reply[2] ?? -1

function modeOf(hasShadow: boolean, hasKeyShadow: boolean): string {
  if (hasKeyShadow) return hasShadow ? '4' : '3'
  return hasShadow ? '2' : '0'
}

export type Shadowed = { admitted: number; mask: number; waitMs: number }

/** How many of the requests shadow limits admit, the limits that deny the next one, as bits, and its waiting time. */
export function shadowOf(reply: number[], requested: number, hasCaps = false): Shadowed {
  return denialsOf(reply, hasCaps).find(({ mask }) => mask < 64) ?? { admitted: requested, mask: 0, waitMs: 0 }
}

/** The same of the key's; bits as of the tier's. */
export function keyShadowOf(reply: number[], requested: number, hasCaps = false): Shadowed {
  const denial = denialsOf(reply, hasCaps).find(({ mask }) => mask >= 64)
  return denial === undefined ? { admitted: requested, mask: 0, waitMs: 0 } : { ...denial, mask: denial.mask / 64 }
}

function denialsOf(reply: number[], hasCaps: boolean): Shadowed[] {
  const last = reply.slice(hasCaps ? 26 : 16)
  return Array.from({ length: last.length / 3 }, (_none, n) => ({
    admitted: last[3 * n] ?? -1,
    mask: last[3 * n + 1] ?? -1,
    waitMs: last[3 * n + 2] ?? -1,
  }))
}

export async function usageOf({ keys }: Account, atMs = START): Promise<Record<string, string>> {
  return redis.hgetall(`${keys[3]}${Math.floor(atMs / 3_600_000)}`)
}

/** Commands of the script that name the account, as Redis ran them. */
export async function commandsOf(account: Account, run: () => Promise<unknown>): Promise<string[]> {
  // Not by ioredis: it fails when lines of other clients arrive together with the answer.
  const { host, port } = redis.options
  const monitor = connect({ host: host ?? '127.0.0.1', port: port ?? 6_379 })
  let text = ''
  monitor.on('data', (chunk: Buffer) => (text += chunk.toString()))
  monitor.write('MONITOR\r\n')
  await waitUntil('it monitors', () => text.includes('+OK'), MONITORED_WITHIN_MS)
  await run()
  const end = `end of ${account.id}`
  await redis.echo(end)
  await waitUntil('all are seen', () => text.includes(end), MONITORED_WITHIN_MS)
  monitor.destroy()
  const ofScript = text.split('\r\n').filter((line) => line.includes(' lua] ') && line.includes(account.id))
  return ofScript.map((line) => /\] "(\w+)"/.exec(line)?.[1]?.toUpperCase() ?? line)
}
