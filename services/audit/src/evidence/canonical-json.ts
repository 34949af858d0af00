/**
 * JSON with the fields of every object in the order of their names and no white space. The same as RFC 8785 for
 * texts, booleans, null and integers; PostgreSQL does not preserve the order of JSON fields.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
