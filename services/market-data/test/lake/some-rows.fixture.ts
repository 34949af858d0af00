import { seededRandom } from '@tapeline/testing/seeded-random'
import { fromUnits } from '../../src/decimal-units.ts'
import type { FileRow } from '../../src/lake/files/layout.ts'

const DAY_NS = 1_723_075_200_000_000_000n

/** Trades with ties, equal and different receive times and rare conditions. */
export function someTradeRows(count: number, seed = 1): FileRow[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_value, index): FileRow => {
    const time = DAY_NS + BigInt(index - (index % 5)) * 37_000_000n
    const received = index % 3 === 0 ? time : time + BigInt(Math.floor(9e6 * random()))
    return [
      String(index + 1),
      String(time),
      String(received),
      index % 97 === 0 ? '2' : '0',
      random() < 0.5 ? 'b' : 's',
      'v',
      't',
      fromUnits(BigInt(6_000_000 + Math.floor(50_000 * random())), 2),
      fromUnits(BigInt(1 + Math.floor(1e6 * random())), 5),
      String(3_735_683_259 + index),
      index % 50 === 0 ? 'odd_lot late' : null,
    ]
  })
}

/** Books of up to `depth` levels a side; every hundredth event is a snapshot, every 250th a gap. */
export function someL2Rows(count: number, depth = 20, seed = 1): FileRow[] {
  const random = seededRandom(seed)
  const levels = (direction: number): string => {
    const length = Math.floor(random() * (depth + 1))
    const list = Array.from({ length }, (_value, at) => [
      fromUnits(BigInt(6_000_000 + direction * (at * 10 + Math.floor(random() * 8))), 2),
      random() < 0.3 ? '0' : fromUnits(BigInt(Math.floor(1e7 * random())), 5),
    ])
    return JSON.stringify(list)
  }
  return Array.from({ length: count }, (_value, index): FileRow => {
    const time = String(DAY_NS + BigInt(index) * 100_000_000n)
    const isGap = index % 250 === 249
    const id = String(900 + index)
    return [
      String(index + 1),
      time,
      time,
      '0',
      isGap ? 'g' : index % 100 === 0 ? 's' : 'u',
      String(1 + Math.floor(index / 100)),
      isGap ? '[]' : levels(-1),
      isGap ? '[]' : levels(1),
      index % 100 === 0 ? '1000' : null,
      isGap ? `g${id}` : id,
      index % 2 === 0 ? id : null,
      id,
      null,
      isGap ? 'update_ids_missing' : null,
      isGap ? time : null,
    ]
  })
}
