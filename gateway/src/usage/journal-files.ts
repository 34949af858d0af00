import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumOf } from './journal-lines.ts'

const SEGMENT = /^(\d{12})\.jsonl$/
/** The shipper's position: `<segment> <bytes acknowledged> <checksum>`, of constant length, so that one write replaces it. */
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
  const place = `${String(segment).padStart(12, '0')} ${String(offset).padStart(16, '0')}`
  return `${place} ${checksumOf(Buffer.from(place))}\n`
}

/** The acknowledged position in a folder; undefined: none, or a damaged file. Then everything is sent, and audit drops duplicates by event id. */
export function readPlace(dir: string): Place | undefined {
  const text = readOrEmpty(join(dir, PLACE_FILE))
  const match = /^(\d{12}) (\d{16}) [0-9a-f]{8}\n$/.exec(text)
  if (match === null) return undefined
  const place = { segment: Number(match[1]), offset: Number(match[2]) }
  return formatPlace(place) === text ? place : undefined
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

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
