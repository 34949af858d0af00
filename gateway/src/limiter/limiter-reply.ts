import { POLICIES_COUNT } from '../usage/decision.ts'

/**
 * Reply of decide.lua, integers by position:
 *
 * | kind | 1 | then |
 * |---|---|---|
 * | 0 decided | Redis's clock, ms | nothing after `look` and `refuse`; otherwise the fields below |
 * | 1 stale: a cached record is older than Redis's version | clock | versions of user, subscription, key (-1: none), and `g`, which changes when Redis loses the account |
 * | 2 account unseeded | clock | ticket; void once Redis has lost the account again |
 * | 3 key unseeded | clock | |
 *
 * Decided: 2 admitted requests · 3 bits of the limits that denied (0–5 the account's burst, minute, hour, day, month,
 * concurrency; 6–11 the key's) · 4 ms until one more would pass · 5–8 requests used in burst, minute, hour and day, before these
 * were counted · 9 of the month · 10 open requests · 11–14 ms until burst, minute, hour and day are empty · 15 ms until the month
 * ends. Of a key with caps also 16–21 as 5–10 and 22–25 as 11–14. For each proposal whose shadow limits deny requests, three more
 * follow: how many it admits, the bits of the limits that deny the others (as in 3), and ms until one more would pass.
 */
export type LimiterReply = readonly number[]

const KINDS = ['decided', 'stale', 'account unseeded', 'key unseeded'] as const
const ACCOUNT = { usedAt: 5, resetsAt: 11, end: 16 }
const KEY = { usedAt: 16, resetsAt: 22, end: 26 }
const MONTH_END_AT = 15
const COUNTS = 6
const DENIAL_FIELDS = 3

export type ReplyKind = (typeof KINDS)[number]

/** Undefined for a reply that decide.lua never returns. */
export function kindOf(reply: LimiterReply): ReplyKind | undefined {
  return KINDS[reply[0] ?? -1]
}

export const replyFields = {
  redisMs: (reply: LimiterReply) => at(reply, 1),
  admitted: (reply: LimiterReply) => at(reply, 2),
  deniedMask: (reply: LimiterReply) => at(reply, 3),
  retryAfterMs: (reply: LimiterReply) => at(reply, 4),
  ticket: (reply: LimiterReply) => at(reply, 2),
  versions: (reply: LimiterReply) => ({
    user: at(reply, 2),
    subscription: at(reply, 3),
    key: at(reply, 4),
    mark: at(reply, 5),
  }),
}

/** Requests in burst, minute, hour, day, month and open ones, after `admitted` of these. */
export function usedAfter(reply: LimiterReply, owner: 'account' | 'key', admitted: number): number[] {
  const { usedAt } = owner === 'account' ? ACCOUNT : KEY
  const used = reply.slice(usedAt, usedAt + COUNTS)
  for (let n = 0; n < used.length; n += 1) used[n] = (used[n] ?? 0) + admitted
  return used
}

export type ShadowDenial = { admitted: number; mask: number; retryAfterMs: number }

/**
 * Undefined: the shadow limits of `owner`, if any, admit all requests of the call. `counts`: whose counts precede the denials.
 * Bits of the mask as of a list of limits alone.
 */
export function shadowDenial(
  reply: LimiterReply,
  counts: 'account' | 'key',
  owner: 'account' | 'key',
): ShadowDenial | undefined {
  for (let n = (counts === 'account' ? ACCOUNT : KEY).end; n < reply.length; n += DENIAL_FIELDS) {
    const mask = at(reply, n + 1)
    if ((mask >> POLICIES_COUNT !== 0) !== (owner === 'key')) continue
    return {
      admitted: at(reply, n),
      mask: owner === 'key' ? mask >> POLICIES_COUNT : mask,
      retryAfterMs: at(reply, n + 2),
    }
  }
  return undefined
}

/** Milliseconds until burst, minute, hour, day and month are empty; the month ends for the key with the account's. */
export function resetsOf(reply: LimiterReply, owner: 'account' | 'key'): number[] {
  const { resetsAt, end } = owner === 'account' ? ACCOUNT : KEY
  const resets = reply.slice(resetsAt, end)
  if (owner === 'key') resets.push(at(reply, MONTH_END_AT))
  return resets
}

function at(reply: LimiterReply, position: number): number {
  return reply[position] ?? 0
}
