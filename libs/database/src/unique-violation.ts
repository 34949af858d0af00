const UNIQUE_VIOLATION = '23505'

/** True when PostgreSQL refused a row because of this unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('constraint' in error)) return false
  return error.code === UNIQUE_VIOLATION && error.constraint === constraint
}
