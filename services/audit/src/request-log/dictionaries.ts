import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { addAccounts, addGateways, addKeys, addKinds } from './dictionary-queries.ts'
import { kindOf, limitsText } from './request-kind.ts'

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
/** No entry has this number, and no text is this one: PostgreSQL's cannot contain NUL. */
const [MISSING, NULL] = [-1, '\0']
const cacheOf = new WeakMap<Db, DictionaryCache>()

/**
 * The numbers of each request's account, kind, key and gateway. New ones are stored in separate transactions, so that no
 * batch keeps them locked.
 */
export async function numbersOf(db: Db, requests: readonly UsageRequestServed[]): Promise<Numbers[]> {
  const cache = cacheOf.get(db) ?? new DictionaryCache()
  cacheOf.set(db, cache)
  const accounts = await numbersIn(cache.accounts, requests.map(accountOf), (missing) => addAccounts(db, missing))
  const kinds = await numbersIn(cache.kinds, requests.map(kindText), (_, at) =>
    addKinds(db, requestsAt(requests, at).map(kindOf)),
  )
  const keys = await numbersIn(cache.keys, requests.map(keyText), (_, at) =>
    addKeys(
      db,
      requestsAt(requests, at).map(({ key_id, kid }) => [key_id, kid] as const),
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

/** Finds or stores entries, which are first in the batch at the positions `at`, and returns their numbers. */
type Add = (missing: readonly string[], at: readonly number[]) => Promise<number[]>

/** `add` is called for texts that `cached` does not have. Another batch may empty `cached` during that. */
async function numbersIn(cached: Map<string, number>, texts: readonly string[], add: Add): Promise<number[]> {
  const numbers = texts.map((text) => cached.get(text) ?? MISSING)
  if (!numbers.includes(MISSING)) return numbers
  const missing = new Map<string, number>()
  for (const [n, text] of texts.entries()) if (numbers[n] === MISSING && !missing.has(text)) missing.set(text, n)
  const added = await add([...missing.keys()], [...missing.values()])
  if (cached.size > CACHED_MAX) cached.clear()
  const found = new Map<string, number>()
  for (const [n, text] of [...missing.keys()].entries()) {
    const number = added[n]
    if (number === undefined) throw new Error('an entry of a dictionary has no number')
    found.set(text, number)
    cached.set(text, number)
  }
  return numbers.map((number, n) => (number === MISSING ? (found.get(texts[n] ?? '') ?? 0) : number))
}

function requestsAt(requests: readonly UsageRequestServed[], at: readonly number[]): UsageRequestServed[] {
  return at.flatMap((n) => requests[n] ?? [])
}

const accountOf = ({ account_id }: UsageRequestServed): string => account_id
const gatewayOf = ({ gateway_id }: UsageRequestServed): string => gateway_id
const keyText = ({ key_id, kid }: UsageRequestServed): string => `${key_id}\0${kid ?? NULL}`

/** Identifies a kind, like `kindOf`, at a tenth of the cost of its JSON text. */
function kindText({ tier, method, route, status, outcome, code, decision }: UsageRequestServed): string {
  const { verdict, windows, shadow } = decision
  const ofAnswer = `${tier}\0${method}\0${route}\0${status}\0${outcome}\0${code ?? NULL}`
  return `${ofAnswer}\0${verdict}\0${limitsText(windows)}\0${shadow?.proposal ?? NULL}`
}
