import { type Key, signCursor } from '../records/cursor.ts'
import { compareKeys } from '../records/row-key.ts'
import type { SubscriptionParameters } from './open-subscription.ts'
import type { Position } from './position.ts'

/** The positions per instrument as list calls accept them: the earliest of all, and those that are further. */
export function keysOf(positions: Iterable<readonly [number, Position]>): { after: Key | undefined; floors: Key[] } {
  const keys = [...positions].map(([instrumentId, position]): Key => ({ instrumentId, ...position }))
  const [after, ...floors] = keys.length === 1 ? keys : keys.toSorted(compareKeys)
  return { after, floors }
}

/** A cursor for streams and list calls. */
export function signPositions(
  cursorKey: Buffer,
  { cursorChannel: channel, filter, limit, retainedFrom }: SubscriptionParameters,
  { positions, state }: { positions: Iterable<readonly [number, Position]>; state?: unknown },
): string {
  return signCursor(cursorKey, { channel, filter, limit, retainedFrom, ...keysOf(positions), state })
}
