import type { ObjectStore } from '@tapeline/objects/object-store'
import { requestOf, uuidOf } from './archive-rows.ts'
import { type ArchiveFile, findAccountNumber, listArchiveFiles } from './archive-queries.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { type ArchiveDeps, orUnavailable, requireStore } from './archived-log.ts'
import { readRowGroup, readRowGroups } from './read-archive.ts'

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
  const files = await listArchiveFiles(db, { account, from, to: LATEST })
  for (const file of files.toReversed()) {
    const found = await orUnavailable(file, findInFile(requireStore(store, file), file, { account, sought }))
    if (found !== undefined) return found
  }
  return undefined
}

const LATEST = new Date('9999-12-31T00:00:00Z')

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
 * Ids of those events that archived days have already: they were delivered again.
 * @throws StoreError
 */
export async function findArchivedEvents(
  { db, store }: ArchiveDeps,
  events: readonly EventPlace[],
): Promise<Set<string>> {
  const found = new Set<string>()
  const byDay = Map.groupBy(
    events,
    ({ accountId, timeMs }) => `${accountId} ${new Date(timeMs).toISOString().slice(0, 10)}`,
  )
  for (const [first, ...others] of byDay.values()) {
    if (first === undefined) continue
    const account = await findAccountNumber(db, first.accountId)
    if (account === undefined) continue
    const day = new Date(first.timeMs)
    const sought = new Map([first, ...others].map(({ id }) => [id.toLowerCase(), id]))
    for (const file of await listArchiveFiles(db, { account, from: day, to: day })) {
      for (const id of await listIdsInFile(requireStore(store, file), file, account)) {
        const event = sought.get(id)
        if (event !== undefined) found.add(event)
      }
    }
  }
  return found
}

async function listIdsInFile(store: ObjectStore, file: ArchiveFile, account: number): Promise<string[]> {
  const all: string[] = []
  for (const group of await readRowGroups(store, file)) {
    if (account < group.firstAccount || account > group.lastAccount) continue
    const rows = await readRowGroup(store, file, group, ['account', 'id'])
    for (const one of rows) if (one.account === account) all.push(uuidOf(one.id))
  }
  return all
}
