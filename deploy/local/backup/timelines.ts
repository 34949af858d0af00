import type { ObjectStore } from '@tapeline/objects/object-store'
import { readSegment } from './wal-segments.ts'

/**
 * The newest timeline, and for each earlier one that it continues, the position where that was left. PostgreSQL begins
 * a timeline at the end of a restore; what the previous one has after that position is abandoned.
 */
export type Timelines = { newest: number; leftAt: ReadonlyMap<number, bigint> }

const DIGITS = 8
const HEXADECIMAL = 16
const HALF_BITS = 32n

/** Reads the history files; PostgreSQL numbers timelines without gaps. */
export async function readTimelines(store: ObjectStore): Promise<Timelines> {
  let newest = 1
  let text = ''
  for (;;) {
    const name = `${(newest + 1).toString(HEXADECIMAL).toUpperCase().padStart(DIGITS, '0')}.history`
    const history = await readSegment(store, name)
    if (history === undefined) return { newest, leftAt: parseHistory(text) }
    text = new TextDecoder().decode(history)
    newest += 1
  }
}

/** Whether the newest timeline continues one that has the whole base backup. */
export function isContinued(
  { newest, leftAt }: Timelines,
  backup: { first_segment: string; end_position: string },
): boolean {
  const timeline = Number.parseInt(backup.first_segment.slice(0, DIGITS), HEXADECIMAL)
  const left = leftAt.get(timeline)
  return timeline === newest || (left !== undefined && parsePosition(backup.end_position) <= left)
}

/** Lines of timeline, position and reason, separated by tabs. */
function parseHistory(text: string): Map<number, bigint> {
  const found = new Map<number, bigint>()
  for (const line of text.split('\n')) {
    const [timeline = '', position = ''] = line.trim().split('\t')
    if (position !== '' && !timeline.startsWith('#')) found.set(Number(timeline), parsePosition(position))
  }
  return found
}

/** `16/B374D848`: the upper and lower half, hexadecimal. */
function parsePosition(text: string): bigint {
  const [upper = '0', lower = '0'] = text.split('/')
  return (BigInt(`0x${upper}`) << HALF_BITS) | BigInt(`0x${lower}`)
}
