import type { Level } from '../../store/record.ts'
import type { ChannelName } from '../../tables.ts'
import { DECIMAL_DIGITS_MAX, digitsOf } from './decimal-units.ts'
import { type FileRow, LAYOUTS, SOURCE_ID_AT, type Traits } from './layout.ts'

/** Only then does the number give the same text back. */
const NUMERIC_ID = /^[1-9][0-9]{0,17}$/

/** Finds what the rows of a file have in common, one row at a time. */
export function createTraitFinder(channel: ChannelName): { add: (row: FileRow) => void; traits: () => Traits } {
  const { columns } = LAYOUTS[channel]
  const positionOf = (kind: string) => columns.findIndex((column) => column.kind === kind)
  const price = createScale()
  const size = createScale()
  const [priceAt, sizeAt, bidsAt] = [positionOf('price'), positionOf('size'), positionOf('levels')]
  const idAt = SOURCE_ID_AT[channel]
  let hasNumericIds = true

  const addLevels = (text: string | null | undefined) => {
    const levels = parseLevels(text)
    if (levels === undefined) {
      price.refuse()
      return
    }
    for (const [levelPrice, levelSize] of levels) {
      price.add(levelPrice)
      size.add(levelSize)
    }
  }
  return {
    add(row) {
      if (hasNumericIds && !NUMERIC_ID.test(row[idAt] ?? '')) hasNumericIds = false
      if (channel === 'trade') {
        price.add(row[priceAt] ?? '')
        size.add(row[sizeAt] ?? '')
        return
      }
      addLevels(row[bidsAt])
      addLevels(row[bidsAt + 1])
    },
    traits: () => {
      const [priceScale, sizeScale] = [price.scale(), size.scale()]
      // The levels of a book are text in both columns or in none.
      const isText = channel === 'l2_event' && (priceScale === undefined || sizeScale === undefined)
      return isText
        ? { priceScale: undefined, sizeScale: undefined, hasNumericIds }
        : { priceScale, sizeScale, hasNumericIds }
    },
  }
}

/** The levels, if writing them again as JSON gives the same text. */
function parseLevels(text: string | null | undefined): Level[] | undefined {
  if (text === '[]') return []
  const value: unknown = JSON.parse(text ?? 'null')
  return isLevels(value) && JSON.stringify(value) === text ? value : undefined
}

function isLevels(value: unknown): value is Level[] {
  return (
    Array.isArray(value) &&
    value.every((level) => Array.isArray(level) && level.length === 2 && level.every((one) => typeof one === 'string'))
  )
}

function createScale() {
  let whole = 1
  let fraction = 0
  let isExact = true
  return {
    add(text: string): void {
      if (!isExact) return
      const digits = digitsOf(text)
      if (digits === undefined) {
        isExact = false
        return
      }
      if (digits.whole > whole) whole = digits.whole
      if (digits.fraction > fraction) fraction = digits.fraction
    },
    refuse: () => void (isExact = false),
    scale: () => (isExact && whole + fraction <= DECIMAL_DIGITS_MAX ? fraction : undefined),
  }
}
