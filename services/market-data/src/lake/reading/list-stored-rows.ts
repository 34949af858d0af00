import type pg from 'pg'
import type { Key } from '../../records/cursor.ts'
import { compareKeys, keyOfRow } from '../../records/row-key.ts'
import { listRows, type RowLimits, type Scanned } from '../../records/record-queries.ts'
import { placesOf, type Scan } from '../../records/scan.ts'
import type { Lake } from '../lake.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { matcherOf } from './match-row.ts'
import { problemOfFile } from './problem-of-file.ts'
import { batchHead, batchLength, type RowBatch, rowsOf } from './row-batch.ts'
import { scanFile, scanSpans } from './scan-file.ts'
import { type Segment, segmentsOf } from './segments.ts'

export type Stores = { pool: pg.Pool; lake: Lake }

/** Each empty day costs a lookup; after this many segments a read ends and returns the place that it reached. */
const SEGMENTS_MAX = 64
const INSTRUMENT_ID_MAX = 2 ** 31 - 1
const SEQUENCE_MAX = String(2n ** 63n - 1n)

/** The next rows in the order (ts_event, instrument_id, sequence), wherever they are stored. */
export async function listStoredRows(stores: Stores, scan: Scan, limits: RowLimits): Promise<Scanned> {
  const { batches, frontier } = await listStoredBatches(stores, scan, limits)
  return { rows: rowsOf(batches), frontier }
}

export type ScannedBatches = { batches: RowBatch[]; frontier: Key | undefined }

/** Like listStoredRows, but rows of files stay in their decoded blocks unless they are merged with other rows. */
export async function listStoredBatches(stores: Stores, scan: Scan, limits: RowLimits): Promise<ScannedBatches> {
  const batches: RowBatch[] = []
  let left = limits.limit
  let { scanMax } = limits
  let segments = 0
  for await (const segment of segmentsOf(stores.lake.manifest, scan)) {
    const found = await listSegmentRows(stores, narrowed(scan, segment), { segment, limit: left, scanMax })
    for (const batch of found.batches) {
      const head = batchHead(batch, left)
      left -= batchLength(head)
      if (batchLength(head) > 0) batches.push(head)
    }
    if (left === 0) return { batches, frontier: undefined }
    if (found.frontier !== undefined) return { batches, frontier: found.frontier }
    segments += 1
    scanMax -= found.rowsScanned
    if (segments === SEGMENTS_MAX || scanMax <= 0) return { batches, frontier: endOf(segment, scan) }
  }
  return { batches, frontier: undefined }
}

/** The part of a scan inside a segment; keys outside of it do not apply there. */
function narrowed(scan: Scan, { start, end }: Segment): Scan {
  const { after } = scan
  const isInside = after !== undefined && BigInt(after.tsEvent) >= start && BigInt(after.tsEvent) < end
  const filter = { ...scan.filter, start: String(start), end: String(end) }
  return { ...scan, filter, after: isInside ? after : undefined }
}

/** The key after which a scan continues when it has read a segment to its end. */
function endOf({ start, end }: Segment, { filter }: Scan): Key {
  return filter.order === 'asc'
    ? { tsEvent: String(end - 1n), instrumentId: INSTRUMENT_ID_MAX, sequence: SEQUENCE_MAX }
    : { tsEvent: String(start), instrumentId: 0, sequence: '0' }
}

type SegmentLimits = RowLimits & { segment: Segment }
type Found = ScannedBatches & { rowsScanned: number }

async function listSegmentRows(stores: Stores, scan: Scan, limits: SegmentLimits): Promise<Found> {
  const { files } = limits.segment
  const sealedIds = new Set(files.map(({ instrumentId }) => instrumentId))
  const places = placesOf(scan)
  const hot = scan.instrumentIds.filter((id) => !sealedIds.has(id))
  const parts = await Promise.all([
    ...(hot.length === 0 ? [] : [listHotRows(stores.pool, { ...scan, instrumentIds: hot }, limits)]),
    ...files.map((file) => {
      const index = scan.instrumentIds.indexOf(file.instrumentId)
      const [edge = '0', sequence = '0'] = [places.edges[index], places.sequences[index]]
      const at = { scan, edge, sequence, bound: places.bound }
      return listFileRows(stores.lake, file, at, limits).catch((error: unknown) => {
        // If the file cannot be read, PostgreSQL may still have its rows.
        if (file.isHotDropped) throw problemOfFile(file, error)
        return listHotRows(stores.pool, { ...scan, instrumentIds: [file.instrumentId] }, limits)
      })
    }),
  ])
  return merge(parts, scan.filter.order)
}

async function listHotRows(pool: pg.Pool, scan: Scan, limits: RowLimits): Promise<Found> {
  const found = await listRows(pool, scan, limits)
  return { batches: [{ rows: found.rows }], frontier: found.frontier, rowsScanned: found.rows.length }
}

type FileScan = { scan: Scan; edge: string; sequence: string; bound: string }

async function listFileRows(lake: Lake, file: SealedFile, at: FileScan, limits: RowLimits): Promise<Found> {
  const { filter } = at.scan
  const place = {
    edge: BigInt(at.edge),
    sequence: BigInt(at.sequence),
    bound: BigInt(at.bound),
    direction: filter.order,
  }
  const matches = matcherOf(at.scan, file)
  if (matches === undefined && file.ref.channel === 'trade') {
    return { batches: await scanSpans(lake.reader, file, place, limits.limit), frontier: undefined, rowsScanned: 0 }
  }
  const found = await scanFile(lake.reader, file, place, { ...limits, matches })
  const isCut = matches !== undefined && found.reached !== undefined
  const frontier = isCut && found.reached ? { ...found.reached, instrumentId: file.instrumentId } : undefined
  return { batches: [{ rows: found.rows }], frontier, rowsScanned: matches === undefined ? 0 : found.rowsScanned }
}

/** Merges the rows of all parts, up to the first place where one of them stopped reading. */
function merge(parts: Found[], order: 'asc' | 'desc'): Found {
  const rowsScanned = Math.max(0, ...parts.map((part) => part.rowsScanned))
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return { ...only, rowsScanned }
  const direction = order === 'asc' ? 1 : -1
  const compare = (one: Key, other: Key) => direction * compareKeys(one, other)
  const frontiers = parts.flatMap(({ frontier }) => (frontier === undefined ? [] : [frontier]))
  const frontier = frontiers.toSorted(compare)[0]
  const keyed = parts.flatMap(({ batches }) => rowsOf(batches).map((row) => ({ row, key: keyOfRow(row) })))
  const inside = frontier === undefined ? keyed : keyed.filter(({ key }) => compare(key, frontier) <= 0)
  const rows = inside.toSorted((one, other) => compare(one.key, other.key)).map(({ row }) => row)
  return { batches: [{ rows }], frontier, rowsScanned }
}
