import { AppError } from '@tapeline/service/app-error'

/** PostgreSQL's text cannot store NUL, and a name must be a single line. */
const CONTROL_IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}]/u
const CONTROL_IN_DESCRIPTION = /[^\P{Cc}\t\n\r]/u

export function readName(name: string): string {
  if (CONTROL_IN_NAME.test(name)) throw unreadable('/name', 'The name contains control characters.')
  return name.trim()
}

export function readDescription(description: string | null | undefined): string | null {
  return readNote('/description', 'description', description)
}

export function readOwnerNote(note: string | null | undefined): string | null {
  return readNote('/owner_note', 'note', note)
}

function readNote(field: string, what: string, note: string | null | undefined): string | null {
  const text = note?.trim() ?? ''
  if (CONTROL_IN_DESCRIPTION.test(text)) throw unreadable(field, `The ${what} contains control characters.`)
  return text === '' ? null : text
}

function unreadable(field: string, message: string): AppError {
  return new AppError('request.invalid', message, { errors: [{ field, message, rule: 'controlCharacters' }] })
}
