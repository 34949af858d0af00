import type { BarClock } from '../../bars/bar-clock.ts'
import { timeBarRange } from '../../bars/time-bar-range.ts'
import { type Key, signCursor } from '../../records/cursor.ts'
import type { SubscriptionParameters } from '../open-subscription.ts'
import type { BarTrack } from './bar-track.ts'

/** The start (ns) of the first bar of an instrument in a subscription. */
export function beginOf(
  { after, floors, filter, start }: SubscriptionParameters,
  clock: BarClock,
  { instrumentId, now }: { instrumentId: number; now: bigint },
): bigint {
  if (after === undefined) {
    if (start === undefined) return clock.startOf(now)
    return timeBarRange(clock, { ...filter, start }, { instrumentIds: [instrumentId], after }).from
  }
  const floor = floors?.find((key) => key.instrumentId === instrumentId)
  return floor === undefined ? placeOf(clock, after, instrumentId) : BigInt(floor.tsEvent)
}

/** A cursor for streams and list calls of bars. */
export function signTracks(
  cursorKey: Buffer,
  { filter, limit, retainedFrom }: SubscriptionParameters,
  tracks: readonly BarTrack[],
): string {
  const after = keyBefore(tracks)
  return signCursor(cursorKey, { channel: 'bar', filter, limit, retainedFrom, after, floors: floorsOf(tracks) })
}

/** The place of a key in one instrument's bars: the order of all is (start, instrument). */
export function placeOf(clock: BarClock, { tsEvent, instrumentId }: Key, ofInstrument: number): bigint {
  const start = clock.startOf(BigInt(tsEvent))
  return ofInstrument > instrumentId ? start : clock.endOf(start)
}

/** The key after which the bars of all tracks continue. */
export function keyBefore(tracks: Iterable<BarTrack>): Key | undefined {
  const [first] = [...tracks].toSorted((one, other) => {
    if (one.position === other.position) return one.feed.instrumentId - other.feed.instrumentId
    return one.position < other.position ? -1 : 1
  })
  return first && { tsEvent: String(first.position), instrumentId: first.feed.instrumentId - 1, sequence: '0' }
}

/** Position of each instrument, if there are several. */
function floorsOf(tracks: readonly BarTrack[]): Key[] {
  const floors = tracks.map(({ position, feed: { instrumentId } }) => {
    return { tsEvent: String(position), instrumentId, sequence: '0' }
  })
  return floors.length === 1 ? [] : floors
}

/** Bars to read: those of these instruments after a key. */
export type Unread = { tracks: BarTrack[]; after: Key | undefined }

/** Bars with new trades; instruments without new trades are not read again. */
export function changedBars(tracks: Iterable<BarTrack>): Unread[] {
  const changed = [...tracks].filter(({ newsFrom }) => newsFrom !== undefined)
  return [...Map.groupBy(changed, ({ newsFrom }) => newsFrom)].map(([from, group]) => {
    return { tracks: group, after: { tsEvent: String(from), instrumentId: 0, sequence: '0' } }
  })
}
