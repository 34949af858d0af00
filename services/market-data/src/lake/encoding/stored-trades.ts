import { type DecodedArray, type FileMetaData, parquetRead } from 'hyparquet'
import { dayStart } from '../../nanoseconds.ts'
import { fromUnits } from '../../decimal-units.ts'
import { LAYOUTS, type Traits } from '../files/layout.ts'
import { decompressors, type FileRef, openFile, readGroup } from '../files/open-file.ts'
import type { DecimalChunk } from './decimal-chunk.ts'
import type { TradeChunk } from './trade-chunk.ts'
import type { TradesOfDay } from './trade-columns.ts'

export type StoredFile = { ref: FileRef; bytes: Uint8Array<ArrayBuffer> }
type NumberedTrades = NonNullable<TradesOfDay['stored']>

/** The trades of a sealed file, in the form in which they are merged with new ones. @throws DamagedFile */
export async function storedTrades({ ref, bytes }: StoredFile, day: number): Promise<NumberedTrades> {
  const readRange = async (from: number, to: number) => bytes.slice(from, to).buffer
  const file = await openFile(ref, readRange)
  const sequences = new BigInt64Array(file.rows)
  const chunks: TradeChunk[] = []
  const { metadataOf } = await file.footer()
  for (const group of file.groups) {
    await readGroup(file, group, readRange)
    const valuesOf = await readColumns(metadataOf(group.index), bytes)
    sequences.set(bigIntsOf(valuesOf('sequence')), group.firstRow)
    chunks.push(chunkOf(valuesOf, file.traits, day))
  }
  return { chunks, sequences }
}

type ValuesOf = (name: string) => DecodedArray

function chunkOf(valuesOf: ValuesOf, traits: Traits, day: number): TradeChunk {
  const start = dayStart(day)
  const times = bigIntsOf(valuesOf('ts_event'))
  const receiveTimes = valuesOf('ts_recv')
  const letters = (name: string) => Uint8Array.from(valuesOf(name), (letter: unknown) => String(letter).charCodeAt(0))
  return {
    rows: times.length,
    times: Float64Array.from(times, (time) => Number(time - start)),
    receiveTimes: BigInt64Array.from(times, (time, at) => BigInt(receiveTimes[at] ?? time)),
    flags: Int32Array.from(valuesOf('flags'), Number),
    sides: letters('side'),
    sideSources: letters('side_source'),
    hasTradeIds: Uint8Array.from(valuesOf('has_trade_id'), Number),
    prices: decimalsOf(valuesOf('price'), traits.priceScale),
    sizes: decimalsOf(valuesOf('size'), traits.sizeScale),
    sourceIds: traits.hasNumericIds ? bigIntsOf(valuesOf('source_id')) : Array.from(valuesOf('source_id'), String),
    conditions: Array.from(valuesOf('conditions'), (text) => (text === null || text === undefined ? null : `${text}`)),
  }
}

async function readColumns(metadata: FileMetaData, bytes: Uint8Array<ArrayBuffer>): Promise<ValuesOf> {
  const parts = new Map(LAYOUTS.trade.columns.map(({ name }): [string, DecodedArray[]] => [name, []]))
  await parquetRead({
    file: { byteLength: bytes.length, slice: (from, to) => bytes.slice(from, to).buffer },
    metadata,
    compressors: decompressors,
    onChunk: ({ columnName, columnData }) => void parts.get(columnName)?.push(columnData),
  })
  return (name) => (parts.get(name) ?? []).flatMap((part) => Array.from<unknown>(part))
}

function bigIntsOf(values: DecodedArray): BigInt64Array<ArrayBuffer> {
  return BigInt64Array.from(values, BigInt)
}

function decimalsOf(values: DecodedArray, scale: number | undefined): DecimalChunk {
  if (scale === undefined) return Array.from(values, String)
  const mantissas = Float64Array.from(values, Number)
  if (!mantissas.every(Number.isSafeInteger)) return Array.from(values, (units) => fromUnits(BigInt(units), scale))
  return { mantissas, scales: new Uint8Array(values.length).fill(scale) }
}
