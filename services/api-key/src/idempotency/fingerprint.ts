import { createHash } from 'node:crypto'

/** Hash of a body, independent of the order of its fields. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(body)))
    .digest()
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)])
}
