import type { Row } from '../records/record-queries.ts'
import { L2_TYPE_LETTERS } from '../store/copy-queries.ts'
import type { L2Type, Level } from '../store/record.ts'

/** The fields of a stored L2 event that a book uses; times are nanosecond digits, decimals canonical. */
export type BookEvent = {
  tsEvent: string
  tsRecv: string
  sequence: bigint
  bookEpoch: number
  type: L2Type
  bids: readonly Level[]
  asks: readonly Level[]
  depthLimit: number | null
  /** Of a gap. */
  gap: { reason: string; fromTs: string | null } | null
}

const TYPES = new Map<string, L2Type>(Object.entries(L2_TYPE_LETTERS).map(([name, letter]) => [letter, name as L2Type]))

/** The sixteen columns that record-queries selects of an L2 event. */
const AT = {
  sequence: 1,
  tsEvent: 2,
  tsRecv: 3,
  type: 5,
  epoch: 6,
  bids: 7,
  asks: 8,
  depthLimit: 9,
  gapReason: 14,
  gapFrom: 15,
}

export function bookEventOf(row: Row): BookEvent {
  const at = (column: keyof typeof AT) => row[AT[column]] ?? ''
  const type = TYPES.get(at('type')) ?? 'update'
  return {
    tsEvent: at('tsEvent'),
    tsRecv: at('tsRecv'),
    sequence: BigInt(at('sequence')),
    bookEpoch: Number(at('epoch')),
    type,
    bids: levelsOf(at('bids')),
    asks: levelsOf(at('asks')),
    depthLimit: at('depthLimit') === '' ? null : Number(at('depthLimit')),
    gap: type === 'gap' ? { reason: at('gapReason'), fromTs: at('gapFrom') || null } : null,
  }
}

/** Parses levels as copy-queries writes them, `[["price","size"],…]`, in an eighth of the time of JSON.parse. */
export function levelsOf(json: string): Level[] {
  const levels: Level[] = []
  for (let open = json.indexOf('"'); open !== -1;) {
    const priceEnd = json.indexOf('"', open + 1)
    const size = json.indexOf('"', priceEnd + 1) + 1
    const sizeEnd = json.indexOf('"', size)
    levels.push([json.slice(open + 1, priceEnd), json.slice(size, sizeEnd)])
    open = json.indexOf('"', sizeEnd + 1)
  }
  return levels
}
