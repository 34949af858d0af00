import type { DecodedArray } from 'hyparquet'
import type { ColumnSpec } from './layout.ts'

/** Moves a column out of V8's heap where possible, because every garbage collection traverses objects on the heap. */
export type CompactColumn = {
  values: DecodedArray
  /** Memory that only this column uses. */
  bytes: number
}

const POINTER_BYTES = 8
const OBJECT_BYTES = 32

/** `times`: the event times, which replace receive times that are null. */
export function compactColumn(
  { kind, isNullable }: Pick<ColumnSpec, 'kind' | 'isNullable'>,
  values: DecodedArray,
  times: BigInt64Array,
): CompactColumn {
  if (values instanceof BigInt64Array) return typed(values)
  if (kind === 'receive-time') return typed(receiveTimesOf(values, times))
  if (typeof values[0] === 'bigint' && isNullable !== true) return typed(BigInt64Array.from(values))
  if (kind === 'int32' && isNullable !== true) return typed(Int32Array.from(values))
  if (kind === 'boolean') return typed(Uint8Array.from(values, Number))
  return uniform(values) ?? { values, bytes: bytesOf(values, kind) }
}

function typed<T extends BigInt64Array | Int32Array | Uint8Array>(values: T): { values: T; bytes: number } {
  return { values, bytes: values.byteLength }
}

function receiveTimesOf(received: DecodedArray, times: BigInt64Array): BigInt64Array {
  return times.map((time, row) => {
    const own: bigint | null | undefined = received[row]
    return own ?? time
  })
}

const SHARED_MAX = 1_000
const shared = new Map<string, DecodedArray>()

function shareArray(key: string, make: () => DecodedArray): DecodedArray {
  const values = shared.get(key) ?? make()
  if (shared.size < SHARED_MAX) shared.set(key, values)
  return values
}

/** One array for all columns of this length that contain a single value; undefined for other columns. */
function uniform(values: DecodedArray): CompactColumn | undefined {
  const [first]: unknown[] = [values[0]]
  const isWord = first === null || first === undefined || typeof first === 'string'
  if (!isWord || !values.every((value: unknown) => value === first)) return undefined
  const key = `${values.length} ${JSON.stringify(first)}`
  return { values: shareArray(key, () => Array.from<unknown>(values)), bytes: 0 }
}

/** A column with one value, as `compactColumn` returns it. */
export function constantColumn(
  { kind, isNullable }: Pick<ColumnSpec, 'kind' | 'isNullable'>,
  value: string | null,
  times: BigInt64Array,
): DecodedArray {
  if (kind === 'receive-time') return times
  const { length } = times
  return shareArray(`${length} ${kind} ${String(isNullable)} ${JSON.stringify(value)}`, () => {
    if (kind === 'boolean') return new Uint8Array(length).fill(value === 't' ? 1 : 0)
    if (kind !== 'int32') return Array.from({ length }, () => value)
    if (isNullable !== true) return new Int32Array(length).fill(Number(value))
    return Array.from({ length }, () => (value === null ? null : Number(value)))
  })
}

/** Memory of a decoded array; the strings of a column with few distinct values are shared. */
function bytesOf(values: DecodedArray, kind: ColumnSpec['kind']): number {
  return values.length * (kind === 'word' ? POINTER_BYTES : POINTER_BYTES + OBJECT_BYTES)
}

/** Memory of a column of lists. */
export function listBytes(lists: DecodedArray): number {
  let count = lists.length
  for (const list of lists) count += Array.isArray(list) ? list.length : 0
  return count * (POINTER_BYTES + OBJECT_BYTES)
}
