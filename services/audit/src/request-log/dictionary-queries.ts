import { type Kysely, type RawBuilder, sql } from 'kysely'
import { smallintArray, textArray, uuidArray } from '../rollups/binary-array.ts'
import type { Tables } from '../tables.ts'
import type { RequestKind } from './request-kind.ts'

type Db = Kysely<Tables>

/** Each of these functions returns the numbers of its entries, in their order; new entries are stored. */
export async function addKinds(db: Db, kinds: readonly RequestKind[]): Promise<number[]> {
  const texts = (value: (kind: RequestKind) => string | null) => textArray(kinds.map(value))
  const entries = sql`unnest(
    ${texts(({ route }) => route)}::text[], ${texts(({ method }) => method)}::text[],
    ${smallintArray(kinds.map(({ status }) => status))}::smallint[], ${texts(({ tier }) => tier)}::text[],
    ${texts(({ outcome }) => outcome)}::text[], ${texts(({ code }) => code)}::text[],
    ${texts(({ verdict }) => verdict)}::text[], ${texts(({ limits }) => limits)}::text[],
    ${texts(({ proposal }) => proposal)}::text[])`
  return findOrAdd(db, {
    table: 'request_kind',
    columns: ['route', 'method', 'status', 'tier', 'outcome', 'verdict', 'limits'],
    nullable: ['code', 'proposal'],
    order: ['route', 'method', 'status', 'tier', 'outcome', 'code', 'verdict', 'limits', 'proposal'],
    entries,
  })
}

export async function addAccounts(db: Db, accounts: readonly string[]): Promise<number[]> {
  const entries = sql`unnest(${uuidArray(accounts)}::uuid[])`
  return findOrAdd(db, {
    table: 'request_account',
    columns: ['account_id'],
    nullable: [],
    order: ['account_id'],
    entries,
  })
}

export async function addKeys(
  db: Db,
  keys: readonly (readonly [keyId: string, kid: string | null])[],
): Promise<number[]> {
  const entries = sql`unnest(
    ${textArray(keys.map(([keyId]) => keyId))}::text[], ${textArray(keys.map(([, kid]) => kid))}::text[])`
  return findOrAdd(db, {
    table: 'request_key',
    columns: ['key_id'],
    nullable: ['kid'],
    order: ['key_id', 'kid'],
    entries,
  })
}

export async function addGateways(db: Db, gateways: readonly string[]): Promise<number[]> {
  const entries = sql`unnest(${textArray(gateways)}::text[])`
  return findOrAdd(db, {
    table: 'request_gateway',
    columns: ['gateway_id'],
    nullable: [],
    order: ['gateway_id'],
    entries,
  })
}

type Dictionary = {
  table: 'request_account' | 'request_kind' | 'request_key' | 'request_gateway'
  columns: readonly string[]
  nullable: readonly string[]
  /** The columns of `entries`. */
  order: readonly string[]
  entries: RawBuilder<unknown>
}

/** Looks first: an insert that finds its row would use up a number. */
async function findOrAdd(db: Db, dictionary: Dictionary): Promise<number[]> {
  const found = await findNumbers(db, dictionary)
  if (isComplete(found)) return found
  const columns = sql.join(dictionary.order.map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(dictionary.table)} (${columns})
    select w.* from ${dictionary.entries} as w (${columns})
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
    select d.no from ${dictionary.entries} with ordinality as w (${columns})
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
