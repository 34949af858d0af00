export type Ids = BigInt64Array<ArrayBuffer> | string[]
/** Positions of rows in the order of a file; undefined where that is the order of arrival, without repeated rows. */
export type RowOrder = Uint32Array<ArrayBuffer> | undefined

/**
 * Rows by time, those with the same time in the order of arrival; of rows with the same time and id the first remains.
 */
export function orderRows(times: Float64Array, ids: Ids): RowOrder {
  const order = orderByTime(times)
  const at = (index: number) => order?.[index] ?? index
  const repeated = new Set<number>()
  let start = 0
  for (let index = 1; index <= times.length; index += 1) {
    if (index < times.length && times[at(index)] === times[at(start)]) continue
    if (index - start > 1) addRepeated(repeated, ids, { start, end: index, at })
    start = index
  }
  if (repeated.size === 0) return order
  const positions = order ?? Uint32Array.from(times, (_time, index) => index)
  return positions.filter((position) => !repeated.has(position))
}

function orderByTime(times: Float64Array): RowOrder {
  if (isOrdered(times)) return undefined
  const order = Uint32Array.from(times, (_time, at) => at)
  return order.sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0) || one - other)
}

function isOrdered(times: Float64Array): boolean {
  let last = -Infinity
  for (const time of times) {
    if (time < last) return false
    last = time
  }
  return true
}

/** Rows with the same time. */
type Run = { start: number; end: number; at: (index: number) => number }

function addRepeated(repeated: Set<number>, ids: Ids, run: Run): void {
  if (isAscending(ids, run)) return
  const seen = new Set<bigint | string | undefined>()
  for (let index = run.start; index < run.end; index += 1) {
    const position = run.at(index)
    const id = ids[position]
    if (seen.has(id)) repeated.add(position)
    seen.add(id)
  }
}

/** Whether the ids increase strictly, so that none occurs twice. */
function isAscending(ids: Ids, { start, end, at }: Run): boolean {
  if (Array.isArray(ids)) return false
  for (let index = start + 1; index < end; index += 1) {
    if ((ids[at(index)] ?? 0n) <= (ids[at(index - 1)] ?? 0n)) return false
  }
  return true
}

export type Numbering = { rows: number; stored: BigInt64Array; order: RowOrder; lastSequence: bigint }

/** Sequences by position: stored rows come first and keep theirs, the others that remain get the next ones. */
export function numberRows({ rows, stored, order, lastSequence }: Numbering): BigInt64Array<ArrayBuffer> {
  const sequences = new BigInt64Array(rows)
  sequences.set(stored)
  const remains = order && new Uint8Array(rows)
  for (const position of order ?? []) remains?.fill(1, position, position + 1)
  let last = lastSequence
  for (let position = stored.length; position < rows; position += 1) {
    if (remains?.[position] === 0) continue
    last += 1n
    sequences[position] = last
  }
  return sequences
}
