import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SEGMENT = /^(\d{12})\.jsonl$/
/** Where the shipper is: `<segment> <bytes acknowledged>`, always of the same length, so that one write replaces it. */
export const PLACE_FILE = 'shipped'
export const LOCK_FILE = 'lock'

export type Place = { segment: number; offset: number }

export function segmentName(number: number): string {
  return `${String(number).padStart(12, '0')}.jsonl`
}

export function segmentNumber(name: string): number | undefined {
  const digits = SEGMENT.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function formatPlace({ segment, offset }: Place): string {
  return `${String(segment).padStart(12, '0')} ${String(offset).padStart(16, '0')}\n`
}

/** What Kafka has of a folder; undefined: nothing yet. */
export function readPlace(dir: string): Place | undefined {
  const match = /^(\d{12}) (\d{16})\n/.exec(readOrEmpty(join(dir, PLACE_FILE)))
  return match === null ? undefined : { segment: Number(match[1]), offset: Number(match[2]) }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
