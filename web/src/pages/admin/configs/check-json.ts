import { t } from '@lingui/core/macro'

export type CheckedJson = { ok: true; value: unknown } | { ok: false; message: string; line: number | undefined }

export const emptyJson = (): string => t`JSON string cannot be empty`

/** What was typed as JSON, or why it is none, in the parser's words and with the line where one is known. */
export function checkJson(text: string): CheckedJson {
  if (text.trim() === '') return { ok: false, message: emptyJson(), line: undefined }
  try {
    return { ok: true, value: JSON.parse(text.trimEnd()) }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const line = lineOf(said, text)
    const message = line === undefined || /line \d/.test(said) ? said : t`${said} (line ${line})`
    return { ok: false, message, line }
  }
}

/** Engines say "line 3 column 5", "at position 41", or only that the text ended. */
function lineOf(said: string, text: string): number | undefined {
  const line = /line (\d+)/.exec(said)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(said)?.[1]
  if (position !== undefined) return linesIn(text.slice(0, Number(position)))
  return /unexpected end|end of (?:data|input)/i.test(said) ? linesIn(text.trimEnd()) : undefined
}

export function linesIn(text: string): number {
  return text.split('\n').length
}

export function writeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'null'
}
