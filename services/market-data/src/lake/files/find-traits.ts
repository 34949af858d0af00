import type { Level } from '../../store/record.ts'
import type { ChannelName } from '../../tables.ts'
import { DECIMAL_DIGITS_MAX, digitsOf } from '../../decimal-units.ts'
import { scanLevels } from './scan-levels.ts'
import {
  AT,
  type ColumnSpec,
  CONSTANT_KINDS,
  type FileRow,
  LAYOUTS,
  RECEIVE_TIME,
  SOURCE_ID_AT,
  type Traits,
} from './layout.ts'

/** Other texts do not survive a conversion to a number and back. */
const NUMERIC_ID = /^[1-9][0-9]{0,17}$/

/** Determines the traits that the rows of a file share, one row at a time. */
export function createTraitFinder(channel: ChannelName): { add: (row: FileRow) => void; traits: () => Traits } {
  const { columns } = LAYOUTS[channel]
  const positionOf = (kind: string) => columns.findIndex((column) => column.kind === kind)
  const price = createScale()
  const size = createScale()
  const [priceAt, sizeAt, bidsAt] = [positionOf('price'), positionOf('size'), positionOf('levels')]
  const idAt = SOURCE_ID_AT[channel]
  const venueIdsAt = columns.flatMap(({ kind }, index) => (kind === 'venue-id' ? [index] : []))
  const constants = createConstantFinder(columns)
  let hasNumericIds = true
  let hasNumericVenueIds = true

  const addLevels = (text: string | null | undefined) => {
    const scanned = scanLevels(text ?? '')
    if (scanned !== undefined) {
      price.addDigits(scanned.priceWhole, scanned.priceFraction)
      size.addDigits(scanned.sizeWhole, scanned.sizeFraction)
      return
    }
    const levels = parseLevels(text)
    if (levels === undefined) {
      price.markInexact()
      return
    }
    for (const [levelPrice, levelSize] of levels) {
      price.add(levelPrice)
      size.add(levelSize)
    }
  }
  return {
    add(row) {
      constants.add(row)
      if (hasNumericIds && !NUMERIC_ID.test(row[idAt] ?? '')) hasNumericIds = false
      if (channel === 'trade') {
        price.add(row[priceAt] ?? '')
        size.add(row[sizeAt] ?? '')
        return
      }
      if (hasNumericVenueIds && !venueIdsAt.every((at) => isNumericOrNull(row[at]))) hasNumericVenueIds = false
      addLevels(row[bidsAt])
      addLevels(row[bidsAt + 1])
    },
    traits: () => {
      const [priceScale, sizeScale] = [price.scale(), size.scale()]
      // The levels of a book are text in both columns or in none.
      const isText = channel === 'l2_event' && (priceScale === undefined || sizeScale === undefined)
      const ids = { hasNumericIds, ...(channel === 'l2_event' && { hasNumericVenueIds }), ...constants.found() }
      return isText ? { priceScale: undefined, sizeScale: undefined, ...ids } : { priceScale, sizeScale, ...ids }
    },
  }
}

type Candidate = { name: string; at: number; value: string | null }

/** Columns that have the same value in every row. */
function createConstantFinder(columns: readonly ColumnSpec[]) {
  let candidates: Candidate[] | undefined
  let [withReceiveTime, rows] = [0, 0]
  return {
    add(row: FileRow): void {
      rows += 1
      if (row[AT.tsRecv] !== row[AT.tsEvent]) withReceiveTime += 1
      candidates ??= columns.flatMap(({ name, kind }, at) =>
        CONSTANT_KINDS.has(kind) ? [{ name, at, value: row[at] ?? null }] : [],
      )
      if (candidates.some(({ at, value }) => row[at] !== value))
        candidates = candidates.filter(({ at, value }) => row[at] === value)
    },
    found(): Pick<Traits, 'constants' | 'hasReceiveTimes'> {
      const times: [string, null][] = rows > 0 && withReceiveTime === 0 ? [[RECEIVE_TIME, null]] : []
      const values = (candidates ?? []).map(({ name, value }): [string, string | null] => [name, value])
      return { constants: new Map([...times, ...values]), hasReceiveTimes: rows > 0 && withReceiveTime === rows }
    },
  }
}

function isNumericOrNull(id: string | null | undefined): boolean {
  return id === null || id === undefined || NUMERIC_ID.test(id)
}

/** The levels; undefined if serializing them as JSON does not reproduce the text. */
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
  const addDigits = (wholeDigits: number, fractionDigits: number): void => {
    if (wholeDigits > whole) whole = wholeDigits
    if (fractionDigits > fraction) fraction = fractionDigits
  }
  return {
    add(text: string): void {
      if (!isExact) return
      const digits = digitsOf(text)
      if (digits === undefined) {
        isExact = false
        return
      }
      addDigits(digits.whole, digits.fraction)
    },
    addDigits,
    markInexact: () => void (isExact = false),
    scale: () => (isExact && whole + fraction <= DECIMAL_DIGITS_MAX ? fraction : undefined),
  }
}
