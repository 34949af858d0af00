import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { columnsOf, schemaOfArchive } from './archive-columns.ts'
import type { ArchivedRequest } from './archived-request.ts'

/** Rows that a reader decodes together. */
export const GROUP_ROWS = 8_192
const ZSTD_LEVEL = 9
/** In the file's key-value metadata: GroupBytes of each row group. */
export const GROUPS_KEY = 'tapeline.row_groups'
/** Where a row group is, and its checksum: the format itself has none. `to` is exclusive. */
export type GroupBytes = { from: number; to: number; crc32: number }
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
    this.rows += requests.length
    this.firstAccount ??= requests[0]?.account
    this.lastAccount = requests.at(-1)?.account ?? this.lastAccount
    this.waiting.push(...requests)
    while (this.waiting.length >= GROUP_ROWS) await this.writeGroup(this.waiting.splice(0, GROUP_ROWS))
  }

  /** `footerBytes`: of the end of the file, from which readers know where the rest is. */
  async finish(): Promise<{ bytes: Uint8Array<ArrayBuffer>; footerBytes: number }> {
    if (this.waiting.length > 0) await this.writeGroup(this.waiting)
    this.writer.kvMetadata = [{ key: GROUPS_KEY, value: JSON.stringify(this.groups) }]
    await this.writer.finish()
    const bytes = this.bytes.getBytes().slice()
    const metadataBytes = new DataView(bytes.buffer).getUint32(bytes.length - FOOTER_END_BYTES, true)
    return { bytes, footerBytes: metadataBytes + FOOTER_END_BYTES }
  }

  private async writeGroup(requests: readonly ArchivedRequest[]): Promise<void> {
    const from = this.bytes.offset
    await this.writer.write({ columnData: columnsOf(requests), rowGroupSize: requests.length })
    const to = this.bytes.offset
    this.groups.push({ from, to, crc32: crc32(this.bytes.getBytes().subarray(from, to)) })
  }
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
}
