import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { COLUMNS, columnsOf, schemaOfArchive } from './archive-columns.ts'
import type { ArchivedRequest } from './archived-request.ts'

/** Rows that a reader decodes together. */
export const GROUP_ROWS = 8_192
const ZSTD_LEVEL = 9
/** In the file's key-value metadata: GroupBytes of each row group. */
export const GROUPS_KEY = 'tapeline.row_groups'
/** Where a row group is, and its checksum: the format itself has none. `to` is exclusive. */
export type GroupBytes = { from: number; to: number; crc32: number }
/** A row group of another file; `metadata` as its footer has it, with positions in that file. */
export type EncodedGroup = GroupBytes & {
  bytes: Uint8Array
  rows: number
  firstAccount: number
  lastAccount: number
  metadata: Metadata
}
type Metadata = ParquetWriter['row_groups'][number]
/** Length of the metadata and the magic number. */
const FOOTER_END_BYTES = 8

/** A Parquet file of requests, which the caller adds in order of account, time and id. The file is in memory until it is finished. */
export class ArchiveWriter {
  private readonly bytes = new ByteWriter()
  private readonly writer = new ParquetWriter({
    writer: this.bytes,
    schema: schemaOfArchive(),
    codec: 'ZSTD',
    compressors: { ZSTD: compress },
    createdBy: 'tapeline',
  })
  private waiting: ArchivedRequest[] = []
  private readonly groups: GroupBytes[] = []
  rows = 0
  firstAccount: number | undefined
  lastAccount = 0

  async add(requests: readonly ArchivedRequest[]): Promise<void> {
    this.count(requests.length, requests[0]?.account, requests.at(-1)?.account)
    this.waiting.push(...requests)
    while (this.waiting.length >= GROUP_ROWS) await this.writeGroup(this.waiting.splice(0, GROUP_ROWS))
  }

  /** Appends requests as a group of their own: at most GROUP_ROWS. */
  async addGroup(requests: readonly ArchivedRequest[]): Promise<void> {
    await this.add(requests)
    await this.endGroup()
  }

  /** Appends a group with the same columns without decoding it. */
  async copyGroup({ bytes, rows, firstAccount, lastAccount, from: before, metadata }: EncodedGroup): Promise<void> {
    await this.endGroup()
    this.count(rows, firstAccount, lastAccount)
    const from = this.bytes.offset
    this.bytes.appendBytes(bytes)
    this.writer.row_groups.push(movedBy(BigInt(from - before), metadata))
    this.writer.num_rows += BigInt(rows)
    this.endedGroup(from)
  }

  /** `footerBytes`: of the end of the file, from which readers know where the rest is. */
  async finish(): Promise<{ bytes: Uint8Array<ArrayBuffer>; footerBytes: number }> {
    await this.endGroup()
    this.writer.kvMetadata = [{ key: GROUPS_KEY, value: JSON.stringify(this.groups) }]
    await this.writer.finish()
    const bytes = this.bytes.getBytes().slice()
    const metadataBytes = new DataView(bytes.buffer).getUint32(bytes.length - FOOTER_END_BYTES, true)
    return { bytes, footerBytes: metadataBytes + FOOTER_END_BYTES }
  }

  private async writeGroup(requests: readonly ArchivedRequest[]): Promise<void> {
    const from = this.bytes.offset
    await this.writer.write({ columnData: columnsOf(requests), rowGroupSize: requests.length })
    this.endedGroup(from)
  }

  private async endGroup(): Promise<void> {
    if (this.waiting.length > 0) await this.writeGroup(this.waiting.splice(0))
  }

  private count(rows: number, firstAccount: number | undefined, lastAccount = this.lastAccount): void {
    this.rows += rows
    this.firstAccount ??= firstAccount
    this.lastAccount = lastAccount
  }

  private endedGroup(from: number): void {
    const to = this.bytes.offset
    this.groups.push({ from, to, crc32: crc32(this.bytes.getBytes().subarray(from, to)) })
  }
}

/** Whether a group has the columns that are written now, and not those of another release. */
export function hasSameColumns({ metadata }: EncodedGroup): boolean {
  const columns = metadata.columns.map(({ meta_data: data }) => `${data?.path_in_schema.join('.')} ${data?.type}`)
  return columns.join() === COLUMNS.map(({ name, element }) => `${name} ${element.type}`).join()
}

/** Page indexes are left out: they are optional, and at the end of the file that the group was in. */
function movedBy(distance: bigint, group: Metadata): Metadata {
  const columns = group.columns.map(({ file_offset: offset, meta_data: data }) => ({
    file_offset: offset + distance,
    ...(data === undefined
      ? {}
      : {
          meta_data: {
            ...data,
            data_page_offset: data.data_page_offset + distance,
            ...(data.dictionary_page_offset === undefined
              ? {}
              : { dictionary_page_offset: data.dictionary_page_offset + distance }),
          },
        }),
  }))
  return { ...group, columns }
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
}
