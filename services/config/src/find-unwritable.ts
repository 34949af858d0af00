import type { FieldProblem } from '@tapeline/contracts/field-problems'

const NOT_TEXT = 'contains characters that are not valid text'

/**
 * Finds the places that cannot be stored: PostgreSQL cannot store lone surrogates or NUL, JSON cannot represent
 * infinity.
 */
export function findUnwritable(value: unknown, path = ''): FieldProblem | undefined {
  const field = path || '/'
  if (typeof value !== 'object' || value === null) {
    const message = faultOfLeaf(value)
    return message === undefined ? undefined : { field, message }
  }
  for (const [name, part] of Object.entries(value)) {
    if (!isWritable(name)) return { field, message: NOT_TEXT }
    const found = findUnwritable(part, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (found !== undefined) return found
  }
  return undefined
}

function faultOfLeaf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is too large a number'
  return typeof value === 'string' && !isWritable(value) ? NOT_TEXT : undefined
}

function isWritable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
