import { readFileSync, statSync } from 'node:fs'

/** The current end of a log, so that a later failure is explained by the lines after it. */
export function logEnd(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The last line after `from` that reports an error, or the last line. */
export function lastErrorLine(file: string, from: number, pattern: RegExp): string {
  const lines = readAfter(file, from)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.findLast((line) => pattern.test(line)) ?? lines.at(-1) ?? 'it logged nothing'
}

export function readAfter(file: string, from: number): string {
  try {
    const bytes = readFileSync(file)
    return bytes.subarray(from <= bytes.length ? from : 0).toString('utf8')
  } catch {
    return ''
  }
}
