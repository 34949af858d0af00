import { crc32, zstdDecompressSync } from 'node:zlib'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { type ArchiveRow, LISTED_COLUMNS } from './archive-rows.ts'
import { sha256Of } from './archive-file.ts'
import type { ArchiveFile } from './archive-queries.ts'
import { type EncodedGroup, type GroupBytes, GROUPS_KEY } from './write-archive.ts'

/** A group of a file's rows, which are read together; times in milliseconds since 1970. */
export type RowGroup = GroupBytes & {
  /** Among the groups of its file, from 0. */
  number: number
  firstRow: number
  rows: number
  firstAccount: number
  lastAccount: number
  firstMs: number
  lastMs: number
}

/** Bounds of the row groups of a file: some kilobytes. */
const BOUNDS_MAX = 1_000
/** Number of cached footers, each up to 3 MB. */
const FOOTERS_MAX = 8
/** About 8 MB each. */
const LISTED_MAX = 2
/** Converted only for rows that are returned. */
const PARSERS = { timestampFromMilliseconds: (ms: bigint) => ms, uuidFromBytes: (bytes: Uint8Array) => bytes }
const COMPRESSORS = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }

/** What was read of a store most recently, by key: objects never change. */
class ArchiveCache {
  readonly bounds = new RecentMap<RowGroup[]>(BOUNDS_MAX)
  readonly footers = new RecentMap<FileMetaData>(FOOTERS_MAX)
  readonly listed = new RecentMap<ArchiveRow[]>(LISTED_MAX)
}

class RecentMap<T> {
  readonly #entries = new Map<string, T>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const value = this.#entries.get(key) ?? (await read())
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value ?? '')
    return value
  }
}

const caches = new WeakMap<ObjectStore, ArchiveCache>()

function cacheOf(store: ObjectStore): ArchiveCache {
  const cache = caches.get(store) ?? new ArchiveCache()
  caches.set(store, cache)
  return cache
}

/** @throws StoreError @throws Error when the file is damaged */
export async function readRowGroups(store: ObjectStore, file: ArchiveFile): Promise<RowGroup[]> {
  return cacheOf(store).bounds.get(file.key, async () => groupsOf(await readFooter(store, file)))
}

/**
 * The rows of a group, with these columns or all; UUIDs are 16 bytes.
 * @throws StoreError
 * @throws Error when the file is damaged
 */
export async function readRowGroup(
  store: ObjectStore,
  file: ArchiveFile,
  group: RowGroup,
  columns?: readonly string[],
): Promise<ArchiveRow[]> {
  const metadata = await readFooter(store, file)
  const bytes = await readGroupBytes(store, file, group)
  const { from } = group
  return parquetReadObjects({
    file: { byteLength: file.bytes, slice: (start, end = file.bytes) => bytes.slice(start - from, end - from) },
    metadata,
    rowStart: group.firstRow,
    rowEnd: group.firstRow + group.rows,
    compressors: COMPRESSORS,
    parsers: PARSERS,
    ...(columns === undefined ? {} : { columns: [...columns] }),
  })
}

/**
 * The rows of a group with LISTED_COLUMNS. A few groups stay in memory, because the pages of a list follow each other.
 * @throws StoreError
 * @throws Error when the file is damaged
 */
export async function readListedRows(store: ObjectStore, file: ArchiveFile, group: RowGroup): Promise<ArchiveRow[]> {
  return cacheOf(store).listed.get(`${file.key} ${group.from}`, () => readRowGroup(store, file, group, LISTED_COLUMNS))
}

/**
 * A group as it is in its file, for ArchiveWriter.copyGroup.
 * @throws StoreError
 * @throws Error when the file is damaged
 */
export async function readEncodedGroup(store: ObjectStore, file: ArchiveFile, group: RowGroup): Promise<EncodedGroup> {
  const metadata = (await readFooter(store, file)).row_groups[group.number]
  if (metadata === undefined) throw new Error(`${file.key} has no row group ${group.number}`)
  return { ...group, bytes: new Uint8Array(await readGroupBytes(store, file, group)), metadata }
}

async function readGroupBytes(store: ObjectStore, file: ArchiveFile, { from, to, crc32: sum }: RowGroup) {
  const bytes = await store.getRange(file.key, from, to)
  if (crc32(new Uint8Array(bytes)) !== sum) {
    throw new Error(`${file.key} is damaged: bytes ${from} to ${to} have changed`)
  }
  return bytes
}

async function readFooter(store: ObjectStore, file: ArchiveFile): Promise<FileMetaData> {
  return cacheOf(store).footers.get(file.key, async () => {
    const bytes = await store.getRange(file.key, file.bytes - file.footerBytes, file.bytes)
    // A damaged footer could make the parser loop for a long time.
    if (sha256Of(new Uint8Array(bytes)) !== file.footerSha256)
      throw new Error(`${file.key} is damaged: its footer has changed`)
    return parquetMetadata(bytes, { parsers: PARSERS })
  })
}

function groupsOf(metadata: FileMetaData): RowGroup[] {
  let firstRow = 0
  const { value = '[]' } = metadata.key_value_metadata?.find(({ key }) => key === GROUPS_KEY) ?? {}
  const places = JSON.parse(value) as GroupBytes[]
  return metadata.row_groups.map((group, n) => {
    const place = places[n]
    if (place === undefined) throw new Error('a row group has no checksum')
    const bounds = (name: string) => {
      const column = group.columns.find(({ meta_data: data }) => data?.path_in_schema[0] === name)
      const { min_value: min, max_value: max } = column?.meta_data?.statistics ?? {}
      if (min === undefined || max === undefined) throw new Error(`a row group has no bounds of ${name}`)
      return [Number(min), Number(max)] as const
    }
    const [[firstAccount, lastAccount], [firstMs, lastMs]] = [bounds('account'), bounds('time')]
    const rows = Number(group.num_rows)
    const one = { ...place, number: n, firstRow, rows, firstAccount, lastAccount, firstMs, lastMs }
    firstRow += rows
    return one
  })
}
