const UNIQUE_VIOLATION = '23505'

/** True when `error` is a violation of the unique constraint `constraint`, or of any (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('constraint' in error)) return false
  return error.code === UNIQUE_VIOLATION && (constraint === undefined || error.constraint === constraint)
}
