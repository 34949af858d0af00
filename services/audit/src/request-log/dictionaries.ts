import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { numberArray, textArray } from '../rollups/array-text.ts'
import type { Tables } from '../tables.ts'
import { kindOf, type RequestKind } from './request-kind.ts'

type Db = Kysely<Tables>
export type Numbers = { account: number; kind: number; key: number; gateway: number }

/** Numbers by text, of one database. Rows of dictionaries are never changed or deleted. */
class Known {
  readonly accounts = new Map<string, number>()
  readonly kinds = new Map<string, number>()
  readonly keys = new Map<string, number>()
  readonly gateways = new Map<string, number>()
}
/** Beyond it, a map begins anew: most requests are of few keys. */
const KNOWN_MAX = 100_000
const knownOf = new WeakMap<Db, Known>()

/**
 * The numbers of each request's account, kind, key and gateway. New ones are stored in transactions of their own, so that no
 * batch holds their locks.
 */
export async function numbersOf(db: Db, requests: readonly UsageRequestServed[]): Promise<Numbers[]> {
  const known = knownOf.get(db) ?? new Known()
  knownOf.set(db, known)
  const accounts = await numbersIn(known.accounts, requests.map(accountOf), (missing) => addAccounts(db, missing))
  const kinds = await numbersIn(known.kinds, requests.map(kindText), (missing) => addKinds(db, missing))
  const keys = await numbersIn(known.keys, requests.map(keyText), (missing) => addKeys(db, missing))
  const gateways = await numbersIn(known.gateways, requests.map(gatewayOf), (missing) => addGateways(db, missing))
  return requests.map((_, n) => ({
    account: accounts[n] ?? 0,
    kind: kinds[n] ?? 0,
    key: keys[n] ?? 0,
    gateway: gateways[n] ?? 0,
  }))
}

/** `add` finds or stores the entries of texts that are not known. Another batch may empty `known` meanwhile. */
async function numbersIn(
  known: Map<string, number>,
  texts: readonly string[],
  add: (missing: readonly string[]) => Promise<number[]>,
): Promise<number[]> {
  const found = new Map(texts.map((text) => [text, known.get(text)]))
  const missing = [...found.keys()].filter((text) => found.get(text) === undefined)
  if (missing.length > 0) {
    const numbers = await add(missing)
    if (known.size > KNOWN_MAX) known.clear()
    for (const [n, text] of missing.entries()) {
      const number = numbers[n]
      if (number === undefined) throw new Error('an entry of a dictionary has no number')
      found.set(text, number)
      known.set(text, number)
    }
  }
  return texts.map((text) => found.get(text) ?? 0)
}

const kindText = (request: UsageRequestServed): string => JSON.stringify(kindOf(request))

async function addKinds(db: Db, missing: readonly string[]): Promise<number[]> {
  const kinds = missing.map((text) => JSON.parse(text) as RequestKind)
  const texts = (value: (kind: RequestKind) => string | null) => textArray(kinds.map(value))
  const wanted = sql`unnest(
    ${texts(({ route }) => route)}::text[], ${texts(({ method }) => method)}::text[],
    ${numberArray(kinds.map(({ status }) => status))}::smallint[], ${texts(({ tier }) => tier)}::text[],
    ${texts(({ outcome }) => outcome)}::text[], ${texts(({ code }) => code)}::text[],
    ${texts(({ verdict }) => verdict)}::text[], ${texts(({ limits }) => limits)}::text[],
    ${texts(({ proposal }) => proposal)}::text[])`
  return findOrAdd(db, {
    table: 'request_kind',
    columns: ['route', 'method', 'status', 'tier', 'outcome', 'verdict', 'limits'],
    nullable: ['code', 'proposal'],
    order: ['route', 'method', 'status', 'tier', 'outcome', 'code', 'verdict', 'limits', 'proposal'],
    wanted,
  })
}

const accountOf = ({ account_id }: UsageRequestServed): string => account_id

async function addAccounts(db: Db, accounts: readonly string[]): Promise<number[]> {
  const wanted = sql`unnest(${textArray(accounts)}::uuid[])`
  return findOrAdd(db, {
    table: 'request_account',
    columns: ['account_id'],
    nullable: [],
    order: ['account_id'],
    wanted,
  })
}

const keyText = ({ key_id, kid }: UsageRequestServed): string => JSON.stringify([key_id, kid])

async function addKeys(db: Db, missing: readonly string[]): Promise<number[]> {
  const keys = missing.map((text) => JSON.parse(text) as [string, string | null])
  const wanted = sql`unnest(
    ${textArray(keys.map(([keyId]) => keyId))}::text[], ${textArray(keys.map(([, kid]) => kid))}::text[])`
  return findOrAdd(db, {
    table: 'request_key',
    columns: ['key_id'],
    nullable: ['kid'],
    order: ['key_id', 'kid'],
    wanted,
  })
}

const gatewayOf = ({ gateway_id }: UsageRequestServed): string => gateway_id

async function addGateways(db: Db, gateways: readonly string[]): Promise<number[]> {
  const wanted = sql`unnest(${textArray(gateways)}::text[])`
  return findOrAdd(db, {
    table: 'request_gateway',
    columns: ['gateway_id'],
    nullable: [],
    order: ['gateway_id'],
    wanted,
  })
}

type Dictionary = {
  table: 'request_account' | 'request_kind' | 'request_key' | 'request_gateway'
  columns: readonly string[]
  nullable: readonly string[]
  /** The columns of `wanted`. */
  order: readonly string[]
  wanted: RawBuilder<unknown>
}

/** Looks first: an insert that finds its row would use up a number. */
async function findOrAdd(db: Db, dictionary: Dictionary): Promise<number[]> {
  const found = await findNumbers(db, dictionary)
  if (isComplete(found)) return found
  const columns = sql.join(dictionary.order.map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(dictionary.table)} (${columns})
    select w.* from ${dictionary.wanted} as w (${columns})
    where not exists (select 1 from ${sql.table(dictionary.table)} d where ${isSame(dictionary)})
    on conflict do nothing`.execute(db)
  const numbers = await findNumbers(db, dictionary)
  if (!isComplete(numbers)) throw new Error(`${dictionary.table}: an entry that was just added is missing`)
  return numbers
}

function isComplete(numbers: (number | null)[]): numbers is number[] {
  return numbers.every((no) => no !== null)
}

async function findNumbers(db: Db, dictionary: Dictionary): Promise<(number | null)[]> {
  const columns = sql.join([...dictionary.order, 'n'].map((column) => sql.ref(column)))
  const { rows } = await sql<{ no: number | null }>`
    select d.no from ${dictionary.wanted} with ordinality as w (${columns})
    left join ${sql.table(dictionary.table)} d on ${isSame(dictionary)} order by w.n`.execute(db)
  return rows.map(({ no }) => no)
}

function isSame({ columns, nullable }: Dictionary): RawBuilder<unknown> {
  const same = columns.map((column) => sql`${sql.ref(`d.${column}`)} = ${sql.ref(`w.${column}`)}`)
  const sameOrNull = nullable.map(
    (column) => sql`${sql.ref(`d.${column}`)} is not distinct from ${sql.ref(`w.${column}`)}`,
  )
  return sql.join([...same, ...sameOrNull], sql` and `)
}
