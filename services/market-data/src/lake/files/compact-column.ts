import type { DecodedArray } from 'hyparquet'
import type { ColumnSpec } from './layout.ts'

/** A column in memory outside of V8's heap where that is possible: each garbage collection walks through what is inside. */
export type CompactColumn = {
  values: DecodedArray
  /** Memory that only this column holds. */
  bytes: number
}

const POINTER_BYTES = 8
const OBJECT_BYTES = 32

/** `times`: of the events, which stand for receive times that are null. */
export function compactColumn(
  { kind, isNullable }: Pick<ColumnSpec, 'kind' | 'isNullable'>,
  values: DecodedArray,
  times: BigInt64Array,
): CompactColumn {
  if (kind === 'receive-time') return typed(receiveTimesOf(values, times))
  if (values instanceof BigInt64Array) return typed(values)
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

const UNIFORM_MAX = 1_000
const uniforms = new Map<string, readonly unknown[]>()

/** One array for all columns of this length that hold a single value; undefined for other columns. */
function uniform(values: DecodedArray): CompactColumn | undefined {
  const [first]: unknown[] = [values[0]]
  const isWord = first === null || first === undefined || typeof first === 'string'
  if (!isWord || !values.every((value: unknown) => value === first)) return undefined
  const key = `${values.length} ${JSON.stringify(first)}`
  const shared = uniforms.get(key) ?? Array.from<unknown>(values)
  if (uniforms.size < UNIFORM_MAX) uniforms.set(key, shared)
  return { values: shared as DecodedArray, bytes: 0 }
}

/** Few different values share their strings. */
function bytesOf(values: DecodedArray, kind: ColumnSpec['kind']): number {
  return values.length * (kind === 'word' ? POINTER_BYTES : POINTER_BYTES + OBJECT_BYTES)
}

/** Memory of a column of lists. */
export function listBytes(lists: DecodedArray): number {
  let count = lists.length
  for (const list of lists) count += Array.isArray(list) ? list.length : 0
  return count * (POINTER_BYTES + OBJECT_BYTES)
}
