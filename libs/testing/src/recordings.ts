import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const NO_RECORDINGS = 'recorded data not available: skipped (set RECORDINGS_DIR)'

/** Path of a recorded file in RECORDINGS_DIR; undefined when the recordings are not available. */
export function recording(...path: string[]): string | undefined {
  const dir = process.env['RECORDINGS_DIR']
  if (dir === undefined || dir === '') return undefined
  const file = join(dir, ...path)
  return existsSync(file) ? file : undefined
}
