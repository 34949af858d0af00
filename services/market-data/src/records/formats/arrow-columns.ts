import type { Cell, CellKind } from './record-table.ts'

/** A column of a record batch as Arrow lays it out: buffers in the order of the format, each padded to 8 bytes. */
export type ArrowColumn = { nullCount: number; buffers: Uint8Array[] }

const ALIGNMENT = 8
const encoder = new TextEncoder()
const NOTHING = new Uint8Array(0)

/** https://arrow.apache.org/docs/format/Columnar.html; cells are as record-table describes them. */
export function arrowColumn(kind: CellKind, cells: readonly Cell[]): ArrowColumn {
  const nullCount = cells.reduce((count, cell) => (cell === null ? count + 1 : count), 0)
  const validity = nullCount === 0 ? NOTHING : bitmap(cells, (cell) => cell !== null)
  return { nullCount, buffers: [validity, ...VALUES[kind](cells)].map(padded) }
}

const VALUES: Record<CellKind, (cells: readonly Cell[]) => Uint8Array[]> = {
  text: textBuffers,
  time: (cells) => [bytesOf(BigInt64Array.from(cells, (cell) => BigInt(cell ?? 0)))],
  uint64: (cells) => [bytesOf(BigUint64Array.from(cells, (cell) => BigInt(cell ?? 0)))],
  int32: (cells) => [bytesOf(Int32Array.from(cells, Number))],
  boolean: (cells) => [bitmap(cells, (cell) => cell === 'true')],
}

function textBuffers(cells: readonly Cell[]): Uint8Array[] {
  const offsets = new Int32Array(cells.length + 1)
  const text = cells.map((cell) => cell ?? '').join('')
  const bytes = encoder.encode(text)
  const isAscii = bytes.length === text.length
  let end = 0
  for (const [at, cell] of cells.entries()) {
    if (cell !== null) end += isAscii ? cell.length : Buffer.byteLength(cell)
    offsets[at + 1] = end
  }
  return [bytesOf(offsets), bytes]
}

/** Least significant bit first. */
function bitmap(cells: readonly Cell[], isSet: (cell: Cell) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8))
  for (const [at, cell] of cells.entries()) {
    if (isSet(cell)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return bits
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function padded(bytes: Uint8Array): Uint8Array {
  const excess = bytes.length % ALIGNMENT
  if (excess === 0) return bytes
  const whole = new Uint8Array(bytes.length + ALIGNMENT - excess)
  whole.set(bytes)
  return whole
}
