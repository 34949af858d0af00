import { dayOf, dayStart, NANOSECONDS_MAX } from '../../nanoseconds.ts'
import type { Scan } from '../../records/scan.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { Manifest } from './manifest.ts'

/** A time range (half open, ns) and the files that contain it for some instruments; the others are in the tables. */
export type Segment = { start: bigint; end: bigint; files: SealedFile[] }

/** Most pages end in the first days of a scan; one with few matching rows continues with longer listings. */
const FIRST_FILES = 8
const FILES_MAX = 256

/** The remaining time range of a scan, in its direction: each sealed day separately, the ranges between as one. */
export async function* segmentsOf(manifest: Manifest, scan: Scan): AsyncGenerator<Segment> {
  const { channel, instrumentIds, filter, after, through } = scan
  const { order } = filter
  const start = BigInt(filter.start ?? '0')
  const end = BigInt(filter.end ?? NANOSECONDS_MAX)
  const isAscending = order === 'asc'
  // An older listing might name a file that lacks rows which `as_of` includes.
  const isFresh = through !== undefined
  // Descending, rows with the same time as the key may follow, so the bound includes that nanosecond.
  let [from, to] = [start, end]
  if (after !== undefined && isAscending) from = max(start, BigInt(after.tsEvent))
  if (after !== undefined && !isAscending) to = min(end, BigInt(after.tsEvent) + 1n)
  for (let filesMax = FIRST_FILES; from < to; filesMax = FILES_MAX) {
    const firstDay = dayOf(String(isAscending ? from : to - 1n))
    const days = await manifest.days({ channel, instrumentIds, fromDay: firstDay, order, filesMax, isFresh })
    const listed = listedRange({ start: from, end: to }, days.unknownFrom, isAscending)
    yield* cut(listed, [...Map.groupBy(days.files, ({ day }) => day)], isAscending)
    if (isAscending) from = listed.end
    else to = listed.start
  }
}

type TimeRange = { start: bigint; end: bigint }

function listedRange({ start, end }: TimeRange, unknownFrom: number | undefined, isAscending: boolean): TimeRange {
  if (unknownFrom === undefined) return { start, end }
  return isAscending
    ? { start, end: min(end, dayStart(unknownFrom)) }
    : { start: max(start, dayStart(unknownFrom + 1)), end }
}

/** Days are in the direction of the scan. */
function* cut({ start, end }: TimeRange, days: [number, SealedFile[]][], isAscending: boolean): Generator<Segment> {
  let [from, to] = [start, end]
  for (const [day, files] of days) {
    const sealed = { start: max(start, dayStart(day)), end: min(end, dayStart(day + 1)), files }
    if (sealed.start >= sealed.end) continue
    if (isAscending && from < sealed.start) yield { start: from, end: sealed.start, files: [] }
    if (!isAscending && sealed.end < to) yield { start: sealed.end, end: to, files: [] }
    yield sealed
    if (isAscending) from = sealed.end
    else to = sealed.start
  }
  if (from < to) yield { start: from, end: to, files: [] }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
