import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { addAccounts, addGateways, addKeys, addKinds } from './dictionary-queries.ts'
import { kindOf, type RequestKind } from './request-kind.ts'

type Db = Kysely<Tables>
export type Numbers = { account: number; kind: number; key: number; gateway: number }

/** Numbers of one database by text. They stay valid, because rows of dictionaries are never changed or deleted. */
class DictionaryCache {
  readonly accounts = new Map<string, number>()
  readonly kinds = new Map<string, number>()
  readonly keys = new Map<string, number>()
  readonly gateways = new Map<string, number>()
}
/** A map with more entries is emptied; its entries are then read from PostgreSQL again. */
const CACHED_MAX = 100_000
const cacheOf = new WeakMap<Db, DictionaryCache>()

/**
 * The numbers of each request's account, kind, key and gateway. New ones are stored in separate transactions, so that no
 * batch keeps them locked.
 */
export async function numbersOf(db: Db, requests: readonly UsageRequestServed[]): Promise<Numbers[]> {
  const cache = cacheOf.get(db) ?? new DictionaryCache()
  cacheOf.set(db, cache)
  const accounts = await numbersIn(cache.accounts, requests.map(accountOf), (missing) => addAccounts(db, missing))
  const kinds = await numbersIn(cache.kinds, requests.map(kindText), (missing) =>
    addKinds(
      db,
      missing.map((text) => JSON.parse(text) as RequestKind),
    ),
  )
  const keys = await numbersIn(cache.keys, requests.map(keyText), (missing) =>
    addKeys(
      db,
      missing.map((text) => JSON.parse(text) as [string, string | null]),
    ),
  )
  const gateways = await numbersIn(cache.gateways, requests.map(gatewayOf), (missing) => addGateways(db, missing))
  return requests.map((_, n) => ({
    account: accounts[n] ?? 0,
    kind: kinds[n] ?? 0,
    key: keys[n] ?? 0,
    gateway: gateways[n] ?? 0,
  }))
}

/** `add` finds or stores the entries that `cached` does not have. Another batch may empty `cached` during that. */
async function numbersIn(
  cached: Map<string, number>,
  texts: readonly string[],
  add: (missing: readonly string[]) => Promise<number[]>,
): Promise<number[]> {
  const found = new Map(texts.map((text) => [text, cached.get(text)]))
  const missing = [...found.keys()].filter((text) => found.get(text) === undefined)
  if (missing.length > 0) {
    const numbers = await add(missing)
    if (cached.size > CACHED_MAX) cached.clear()
    for (const [n, text] of missing.entries()) {
      const number = numbers[n]
      if (number === undefined) throw new Error('an entry of a dictionary has no number')
      found.set(text, number)
      cached.set(text, number)
    }
  }
  return texts.map((text) => found.get(text) ?? 0)
}

const accountOf = ({ account_id }: UsageRequestServed): string => account_id
const gatewayOf = ({ gateway_id }: UsageRequestServed): string => gateway_id
const kindText = (request: UsageRequestServed): string => JSON.stringify(kindOf(request))
const keyText = ({ key_id, kid }: UsageRequestServed): string => JSON.stringify([key_id, kid])
