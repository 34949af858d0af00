import { AppError } from '@tapeline/service/app-error'

/** Written as escapes: PostgreSQL takes no NUL in a text, and a name is one line. */
const CONTROL_IN_NAME = /[\u0000-\u001f\u007f]/
const CONTROL_IN_DESCRIPTION = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

export function readName(name: string): string {
  if (CONTROL_IN_NAME.test(name)) throw unreadable('/name', 'The name holds a control character.')
  return name.trim()
}

export function readDescription(description: string | null | undefined): string | null {
  const text = description?.trim() ?? ''
  if (CONTROL_IN_DESCRIPTION.test(text)) throw unreadable('/description', 'The description holds a control character.')
  return text === '' ? null : text
}

function unreadable(field: string, message: string): AppError {
  return new AppError('request.invalid', message, { errors: [{ field, message }] })
}
