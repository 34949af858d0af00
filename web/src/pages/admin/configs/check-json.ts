import { t } from '@lingui/core/macro'
import { findJsonError } from './find-json-error.ts'

export type CheckedJson = { ok: true; value: unknown } | { ok: false; message: string; line: number | undefined }

export const emptyJson = (): string => t`JSON string cannot be empty`

/** The parsed JSON, or the parser's message, with the line if known. */
export function checkJson(text: string): CheckedJson {
  if (text.trim() === '') return { ok: false, message: emptyJson(), line: undefined }
  try {
    return { ok: true, value: JSON.parse(text.trimEnd()) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const line = lineOf(text.trimEnd())
    const message = line === undefined || /line \d/.test(reason) ? reason : t`${reason} (line ${line})`
    return { ok: false, message, line }
  }
}

/** Engines differ in which errors carry a position, so the line is found in the text. */
function lineOf(text: string): number | undefined {
  const position = findJsonError(text)
  return position === undefined ? undefined : linesIn(text.slice(0, position))
}

export function linesIn(text: string): number {
  return text.split('\n').length
}

export function writeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'null'
}
