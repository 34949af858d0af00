import type { ObjectStore } from '@tapeline/objects/object-store'
import { requestOf } from './archive-rows.ts'
import {
  type ArchiveFile,
  findAccountNumber,
  findArchiveId,
  listFilesOfAccount,
  replaceArchiveFile,
} from './archive-queries.ts'
import { type ArchiveDeps, requireStore } from './archived-log.ts'
import { readRowGroup, readRowGroups } from './read-archive.ts'
import { putFile } from './archive-file.ts'
import { ArchiveWriter } from './write-archive.ts'

/**
 * Erases the networks of an account from archived days: files that contain such networks are rewritten without them, and the former
 * files are deleted. Idempotent, and may end at any point.
 * @throws StoreError @throws AppError `service.unavailable` without a store
 */
export async function eraseArchivedNetworks({ db, store }: ArchiveDeps, accountId: string): Promise<void> {
  const account = await findAccountNumber(db, accountId)
  if (account === undefined) return
  const archiveId = await findArchiveId(db)
  for (const file of await listFilesOfAccount(db, account)) {
    const at = requireStore(store, file)
    if (!(await hasNetworks(at, file, account))) continue
    const erased = await writeWithoutNetworks(at, file, { account, archiveId })
    await replaceArchiveFile(db, file, erased)
    await at.delete(file.key)
  }
}

async function hasNetworks(store: ObjectStore, file: ArchiveFile, account: number): Promise<boolean> {
  for (const group of await readRowGroups(store, file)) {
    if (account < group.firstAccount || account > group.lastAccount) continue
    const rows = await readRowGroup(store, file, group, ['account', 'network'])
    if (rows.some((row) => row.account === account && row.network !== '')) return true
  }
  return false
}

async function writeWithoutNetworks(
  store: ObjectStore,
  file: ArchiveFile,
  { account, archiveId }: { account: number; archiveId: string },
): Promise<ArchiveFile> {
  const writer = new ArchiveWriter()
  for (const group of await readRowGroups(store, file)) {
    const requests = (await readRowGroup(store, file, group)).map(requestOf)
    await writer.add(requests.map((one) => (one.account === account ? { ...one, network: '' } : one)))
  }
  return putFile(store, { archiveId, day: file.day, number: file.number, writer })
}
