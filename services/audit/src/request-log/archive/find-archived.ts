import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import { requestOf, uuidOf } from './archive-rows.ts'
import { type ArchiveFile, findAccountNumber, listAccountNumbers, listArchiveFiles } from './archive-queries.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { type ArchiveDeps, orUnavailable, requireStore } from './archived-log.ts'
import { readRowGroup, readRowGroups, type RowGroup } from './read-archive.ts'

/** An event id, or a request id of 32 hexadecimal digits. */
export type SoughtId = { eventId: string } | { requestId: string }

/**
 * A request of the account in archived days from `from` on. There is no index: the ids of the account's row groups are
 * searched, newest day first.
 * @throws AppError `service.unavailable` when a file cannot be read
 */
export async function findArchived(
  { db, store }: ArchiveDeps,
  accountId: string,
  sought: SoughtId,
  from: Date,
): Promise<ArchivedRequest | undefined> {
  const account = await findAccountNumber(db, accountId)
  if (account === undefined) return undefined
  const files = await listArchiveFiles(db, { account, ...daysOf(sought, from) })
  if (files.length === 0) return undefined
  return inTurn(async () => {
    for (const file of files.toReversed()) {
      const found = await orUnavailable(file, findInFile(requireStore(store, file), file, { account, sought }))
      if (found !== undefined) return found
    }
    return undefined
  })
}

const DAY_MS = 86_400_000
const LATEST = new Date('9999-12-31T00:00:00Z')
const V7_TIME_DIGITS = 12
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i

/** A gateway creates the id of an event (UUIDv7, RFC 9562, 5.7) when the request ends, on the day of its time or soon after. */
function daysOf(sought: SoughtId, from: Date): { from: Date; to: Date } {
  if (!('eventId' in sought) || !UUID_V7.test(sought.eventId)) return { from, to: LATEST }
  const statedMs = Number.parseInt(sought.eventId.replace('-', '').slice(0, V7_TIME_DIGITS), 16)
  // Callers can state any time; PostgreSQL does not read years of five digits in this form.
  const createdMs = Math.min(statedMs, LATEST.getTime() - DAY_MS)
  return { from: new Date(Math.max(from.getTime(), createdMs - DAY_MS)), to: new Date(createdMs + DAY_MS) }
}

let last: Promise<unknown> = Promise.resolve()

/** One search at a time in this process: each may decode the ids of many days. */
async function inTurn<T>(search: () => Promise<T>): Promise<T> {
  const mine = last.then(search, search)
  last = mine.catch(() => {})
  return mine
}

async function findInFile(
  store: ObjectStore,
  file: ArchiveFile,
  { account, sought }: { account: number; sought: SoughtId },
): Promise<ArchivedRequest | undefined> {
  const [column, text] =
    'eventId' in sought ? (['id', sought.eventId] as const) : (['request_id', sought.requestId] as const)
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
  for (const group of await readRowGroups(store, file)) {
    if (account < group.firstAccount || account > group.lastAccount) continue
    const rows = await readRowGroup(store, file, group, ['account', column])
    const at = rows.findIndex((one) => one.account === account && bytes.equals(one[column] as Uint8Array))
    const row = at === -1 ? undefined : (await readRowGroup(store, file, group))[at]
    if (row !== undefined) return requestOf(row)
  }
  return undefined
}

export type EventPlace = { id: string; timeMs: number; accountId: string }

/**
 * Ids of those events that archived days have already: they were delivered again. A repeated event has the same time.
 * @throws StoreError `unavailable` also for an object that was just replaced, so that the caller tries again
 */
export async function findArchivedEvents(
  { db, store }: ArchiveDeps,
  events: readonly EventPlace[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [day, ofDay] of Map.groupBy(events, ({ timeMs }) => Math.floor(timeMs / DAY_MS))) {
    const date = new Date(day * DAY_MS)
    const files = await listArchiveFiles(db, { from: date, to: date })
    if (files.length === 0) continue
    if (store === undefined) throw new StoreError('unavailable', 'LAKE_URL is not set')
    const sought = await numbered(db, ofDay)
    for (const file of files) for (const id of await listFoundInFile(store, file, sought)) found.add(id)
  }
  return found
}

type Sought = EventPlace & { account: number }

async function numbered(db: ArchiveDeps['db'], events: readonly EventPlace[]): Promise<Sought[]> {
  const numbers = await listAccountNumbers(db, [...new Set(events.map(({ accountId }) => accountId))])
  return events.flatMap((event) => {
    const account = numbers.get(event.accountId)
    return account === undefined ? [] : [{ ...event, account }]
  })
}

async function listFoundInFile(store: ObjectStore, file: ArchiveFile, sought: readonly Sought[]): Promise<string[]> {
  const found: string[] = []
  try {
    for (const group of await readRowGroups(store, file)) {
      const within = sought.filter((event) => mayHave(group, event))
      if (within.length === 0) continue
      const ids = new Map(within.map(({ id }) => [id.toLowerCase(), id]))
      for (const row of await readRowGroup(store, file, group, ['id'])) {
        const id = ids.get(uuidOf(row.id))
        if (id !== undefined) found.push(id)
      }
    }
  } catch (error) {
    if (error instanceof StoreError && error.failure === 'missing') throw new StoreError('unavailable', error.message)
    throw error
  }
  return found
}

function mayHave(group: RowGroup, { account, timeMs }: Sought): boolean {
  const isOfAccount = account >= group.firstAccount && account <= group.lastAccount
  return isOfAccount && Math.floor(timeMs) >= group.firstMs && Math.floor(timeMs) <= group.lastMs
}
