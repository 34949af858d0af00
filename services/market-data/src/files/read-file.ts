import { Readable } from 'node:stream'
import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { SIM_VENUE } from '../instruments/instrument.ts'
import { findNamedFile, type NamedFile } from '../lake/list-files-queries.ts'
import { problemOfFile } from '../lake/reading/problem-of-file.ts'
import { presentFile } from './list-files.ts'
import { requireDataExport } from './require-data-export.ts'

/** Request headers that select the response. */
export type Conditions = { range?: string | undefined; ifRange?: string | undefined; ifNoneMatch?: string | undefined }
export type FileAnswer = {
  status: 200 | 206 | 304
  headers: Record<string, string>
  /** Null with 304. */
  body: Readable | null
}

const PART_BYTES = 1024 * 1024
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** A sealed file or one range of it. Its bytes never change, so an interrupted download can be resumed. */
export async function readFile(
  deps: Deps,
  actor: UserActor,
  fileId: string,
  conditions: Conditions,
): Promise<FileAnswer> {
  requireDataExport(deps, actor)
  const file = await findReadable(deps, actor, fileId)
  const etag = `"${file.sha256}"`
  const { name } = presentFile(file, await deps.instruments.list())
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': `attachment; filename="${name}"`,
  }
  if (conditions.ifNoneMatch === etag) return { status: 304, headers, body: null }
  const isRangeMeant = conditions.ifRange === undefined || conditions.ifRange === etag
  const range = isRangeMeant ? rangeOf(conditions.range ?? '', file.ref.bytes) : undefined
  const { from, to } = range ?? { from: 0, to: file.ref.bytes }
  const body = Readable.from(await startReading(deps, file, { from, to }))
  const length = { ...headers, 'content-length': String(to - from) }
  if (range === undefined) return { status: 200, headers: length, body }
  return { status: 206, headers: { ...length, 'content-range': `bytes ${from}-${to - 1}/${file.ref.bytes}` }, body }
}

async function findReadable({ pool }: Deps, { environment }: UserActor, fileId: string): Promise<NamedFile> {
  const file = await findNamedFile(pool, fileId)
  const isHidden = environment === 'test' && file?.venue !== SIM_VENUE
  if (file === undefined || isHidden) throw new AppError('file.not_found', 'There is no such file.')
  return file
}

type ByteRange = { from: number; to: number }

/** One range; any other form of the header is ignored, as RFC 9110 allows. `to` is exclusive. */
function rangeOf(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = RANGE.exec(header) ?? []
  if ((first === '' && last === '') || isReversed(first, last)) return undefined
  const range = first === '' ? lastBytes(Number(last), size) : fromTo(first, last, size)
  if (range.from < range.to) return range
  throw new AppError('file.range_invalid', `The file has ${size} bytes.`, {
    headers: { 'content-range': `bytes */${size}` },
  })
}

function isReversed(first: string, last: string): boolean {
  return first !== '' && last !== '' && Number(last) < Number(first)
}

function lastBytes(count: number, size: number): ByteRange {
  return { from: Math.max(0, size - count), to: size }
}

function fromTo(first: string, last: string, size: number): ByteRange {
  return { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) }
}

/**
 * The first part is read before the headers are sent, so that a missing file is answered with a problem instead of a
 * truncated response.
 */
async function startReading(deps: Deps, file: NamedFile, { from, to }: ByteRange): Promise<AsyncGenerator<Buffer>> {
  const read = (start: number) =>
    deps.lake.store.getRange(file.ref.key, start, Math.min(to, start + PART_BYTES)).catch((error: unknown) => {
      throw problemOfFile(file, error)
    })
  const first = await read(from)
  return parts()

  async function* parts(): AsyncGenerator<Buffer> {
    yield Buffer.from(first)
    for (let start = from + PART_BYTES; start < to; start += PART_BYTES) yield Buffer.from(await read(start))
  }
}
