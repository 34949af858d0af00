import type { DecodedArray } from 'hyparquet'
import { fromUnits } from '../../decimal-units.ts'
import type { ColumnSpec, Traits } from './layout.ts'

/** The text that PostgreSQL would send for a row of a block; null for null. */
export type ColumnText = (row: number) => string | null
type Shared = { times: BigInt64Array; traits: Traits }

type ColumnOf = (name: string) => DecodedArray

/** Text of a column per row, in the form of COPY. */
export function columnText({ name, kind }: ColumnSpec, columnOf: ColumnOf, { times, traits }: Shared): ColumnText {
  if (kind === 'levels') return levelsText(name, columnOf, traits)
  const values = columnOf(name)
  if (kind === 'price') return decimalText(values, traits.priceScale)
  if (kind === 'size') return decimalText(values, traits.sizeScale)
  if (kind === 'boolean') return (row) => (values[row] ? 't' : 'f')
  if (kind === 'receive-time') return (row) => String(values[row] ?? times[row])
  return (row) => textOrNull(values[row])
}

function textOrNull(value: string | number | bigint | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function decimalText(values: DecodedArray, scale: number | undefined): ColumnText {
  return scale === undefined ? (row) => values[row] : (row) => fromUnits(BigInt(values[row]), scale)
}

function levelsText(name: string, columnOf: ColumnOf, { priceScale, sizeScale }: Traits): ColumnText {
  if (priceScale === undefined || sizeScale === undefined) {
    const texts = columnOf(name)
    return (row) => texts[row]
  }
  const prices = columnOf(`${name}_price`)
  const sizes = columnOf(`${name}_size`)
  return (row) => {
    const levelSizes: bigint[] = sizes[row]
    const levelPrices: bigint[] = prices[row]
    const levels = levelPrices.map(
      (price, level) => `["${fromUnits(price, priceScale)}","${fromUnits(levelSizes[level] ?? 0n, sizeScale)}"]`,
    )
    return `[${levels.join(',')}]`
  }
}
