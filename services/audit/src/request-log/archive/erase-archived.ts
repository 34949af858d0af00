import type { ObjectStore } from '@tapeline/objects/object-store'
import { isIntact, putFile } from './archive-file.ts'
import {
  type ArchiveFile,
  findArchiveId,
  listAccountNumbers,
  listFilesOfAccounts,
  replaceArchiveFile,
  whileArchiving,
} from './archive-queries.ts'
import { requestOf } from './archive-rows.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { type ArchiveDeps, requireStore } from './archived-log.ts'
import { readEncodedGroup, readRowGroup, readRowGroups, type RowGroup } from './read-archive.ts'
import { ArchiveWriter, hasSameColumns } from './write-archive.ts'

/** `erased`: accounts without networks in archived days from now on. */
export type ErasedFromArchive = { erased: ReadonlySet<string>; failures: unknown[] }

/**
 * Erases the networks of accounts from archived days: files that contain such networks are replaced by files without them. Idempotent,
 * and may end at any point. A file that fails does not keep others from being erased. No account is erased when another
 * process is archiving.
 */
export async function eraseArchivedNetworks(
  { db, store }: ArchiveDeps,
  accountIds: readonly string[],
): Promise<ErasedFromArchive> {
  if (accountIds.length === 0) return { erased: new Set(), failures: [] }
  const done = await whileArchiving(db, async () => {
    const numbers = await listAccountNumbers(db, accountIds)
    const accounts = new Set(numbers.values())
    const failed: ArchiveFile[] = []
    const failures: unknown[] = []
    for (const file of await listFilesOfAccounts(db, [...accounts])) {
      await eraseInFile({ db, store }, file, accounts).catch((error: unknown) => {
        failed.push(file)
        failures.push(error)
      })
    }
    const isErased = (no: number | undefined) => no === undefined || !failed.some((file) => mayHave(file, no))
    return { erased: new Set(accountIds.filter((id) => isErased(numbers.get(id)))), failures }
  })
  return done ?? { erased: new Set(), failures: [] }
}

async function eraseInFile({ db, store }: ArchiveDeps, file: ArchiveFile, accounts: ReadonlySet<number>) {
  const at = requireStore(store, file)
  const groups = await readRowGroups(at, file)
  const erasing = new Set<RowGroup>()
  for (const group of groups) if (await hasNetworks(at, file, { group, accounts })) erasing.add(group)
  if (erasing.size === 0) return
  const writer = new ArchiveWriter()
  for (const group of groups) {
    const encoded = erasing.has(group) ? undefined : await readEncodedGroup(at, file, group)
    if (encoded !== undefined && hasSameColumns(encoded)) await writer.copyGroup(encoded)
    else await writer.addGroup(await readWithoutNetworks(at, file, { group, accounts }))
  }
  const { day, number } = file
  const erased = await putFile(at, { archiveId: await findArchiveId(db), day, number, writer })
  // From now on the only copy.
  if (!(await isIntact(at, erased))) {
    await at.delete(erased.key)
    throw new Error(`${erased.key} was not stored as it was written`)
  }
  if (!(await replaceArchiveFile(db, file, erased))) throw new Error(`${file.key} is not referenced any more`)
  await at.delete(file.key)
}

type GroupOf = { group: RowGroup; accounts: ReadonlySet<number> }

async function hasNetworks(store: ObjectStore, file: ArchiveFile, { group, accounts }: GroupOf): Promise<boolean> {
  if (!accounts.values().some((no) => mayHave(group, no))) return false
  const rows = await readRowGroup(store, file, group, ['account', 'network'])
  return rows.some(({ account, network }) => network !== '' && accounts.has(account as number))
}

async function readWithoutNetworks(
  store: ObjectStore,
  file: ArchiveFile,
  { group, accounts }: GroupOf,
): Promise<ArchivedRequest[]> {
  const requests = (await readRowGroup(store, file, group)).map(requestOf)
  return requests.map((one) => (accounts.has(one.account) ? { ...one, network: '' } : one))
}

function mayHave(
  { firstAccount, lastAccount }: Pick<ArchiveFile, 'firstAccount' | 'lastAccount'>,
  no: number,
): boolean {
  return no >= firstAccount && no <= lastAccount
}
