import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { fromUnits } from '../../decimal-units.ts'
import { ImportProblem } from '../import-problem.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import type { Source } from '../sources/open-source.ts'
import { unreadable } from '../sources/read-lines.ts'
import { type DatabentoRecord, stockOf, takeRecord } from './databento-record.ts'
import { type DbnMetadata, type DbnSchema, metadataLength, parseMetadata } from './dbn-metadata.ts'

/** Datasets of US stocks, whose symbols are those of the consolidated tape. */
const STOCKS = /^(?:XNAS|XBOS|XPSX|ARCX|XNYS|XASE|XCHI|XCIS|BATS|BATY|EDGA|EDGX|IEXG|MEMX|EPRL|DBEQ|EQUS)\./
/** Byte offsets in a record, and its size without levels. */
const AT = {
  publisher: 2,
  instrument: 4,
  tsEvent: 8,
  price: 16,
  size: 24,
  action: 28,
  side: 29,
  flags: 30,
  tsRecv: 32,
  sequence: 44,
}
const BASE_BYTES = 48
const LEVEL = { bytes: 32, bidPrice: 0, askPrice: 8, bidSize: 16, askSize: 20 }
/** `rtype` and levels of each schema. */
const KINDS: Record<DbnSchema, { type: number; depth: number }> = {
  trades: { type: 0, depth: 0 },
  'mbp-1': { type: 1, depth: 1 },
  'mbp-10': { type: 10, depth: 10 },
}
const NO_PRICE = 0x7fff_ffff_ffff_ffffn
const NO_TIME = 0xffff_ffff_ffff_ffffn
const PRICE_SCALE = 9
/** Records are numbered as the rows of the same data as CSV, whose first line is the header: both have the same ids. */
const FIRST_NUMBER = 2

/**
 * Records of one schema; those of other types, such as symbol mappings and system messages, are skipped.
 * @throws ImportProblem
 */
export function readDbn(schema: DbnSchema): ReadFile {
  return async (source, run) => {
    const state: State = { unread: Buffer.alloc(0), metadata: undefined, number: FIRST_NUMBER, instruments: new Map() }
    let bytesRead = 0
    const content = source.open((bytes) => (bytesRead = bytes))
    try {
      for await (const piece of content) {
        state.unread = Buffer.concat([state.unread, piece])
        takeComplete(source, run, schema, state)
        await run.drain()
        run.deps.progress.advance(bytesRead, state.number - FIRST_NUMBER)
      }
    } catch (error) {
      throw unreadable(source, error)
    } finally {
      content.destroy()
    }
    if (state.metadata === undefined || state.unread.length > 0) {
      throw new ImportProblem(source.file, undefined, `ends within record ${state.number - FIRST_NUMBER + 1}`)
    }
  }
}

type State = {
  unread: Buffer
  metadata: DbnMetadata | undefined
  number: number
  instruments: Map<string, InstrumentSpec>
}

function takeComplete(source: Source, run: FileRun, schema: DbnSchema, state: State): void {
  const metadata = state.metadata ?? openMetadata(source, state)
  if (metadata === undefined) return
  const { unread } = state
  let at = 0
  while (at < unread.length) {
    const length = (unread[at] ?? 0) * 4
    if (length === 0) throw new Error(`record ${state.number - FIRST_NUMBER + 1} has no length`)
    if (at + length > unread.length) break
    takeOne(run, schema, { state, metadata }, unread.subarray(at, at + length))
    at += length
  }
  state.unread = unread.subarray(at)
}

type Opened = { state: State; metadata: DbnMetadata }

function takeOne(run: FileRun, schema: DbnSchema, { state, metadata }: Opened, bytes: Buffer): void {
  const { type, depth } = KINDS[schema]
  if (bytes[1] !== type) return
  try {
    takeRecord(run, instrumentOf({ state, metadata }, bytes), recordOf(bytes, depth, state.number))
  } catch (error) {
    run.refuse(state.number - FIRST_NUMBER + 1, error instanceof Error ? error.message : 'cannot be read')
  }
  state.number += 1
}

function openMetadata({ file }: Source, state: State): DbnMetadata | undefined {
  const { unread } = state
  if (unread.length < 8 || unread.length < metadataLength(unread)) return undefined
  const metadata = parseMetadata(unread.subarray(0, metadataLength(unread)))
  if (!STOCKS.test(metadata.dataset)) {
    throw new ImportProblem(file, undefined, `is of the dataset ${metadata.dataset}: only US stocks are imported`)
  }
  state.metadata = metadata
  state.unread = unread.subarray(metadata.length)
  return metadata
}

function instrumentOf({ metadata, state: { instruments } }: Opened, bytes: Buffer): InstrumentSpec {
  const id = bytes.readUInt32LE(AT.instrument)
  const symbol = metadata.symbolAt(id, bytes.readBigUInt64LE(AT.tsEvent))
  if (symbol === undefined) throw new Error(`the file names no symbol for instrument ${id}`)
  const instrument = instruments.get(symbol) ?? stockOf(symbol)
  instruments.set(symbol, instrument)
  return instrument
}

function recordOf(bytes: Buffer, depth: number, number: number): DatabentoRecord {
  if (bytes.length < BASE_BYTES + depth * LEVEL.bytes) throw new Error(`has ${bytes.length} bytes`)
  const tsEvent = timeAt(bytes, AT.tsEvent)
  if (tsEvent === '') throw new Error('has no ts_event')
  return {
    tsEvent,
    tsRecv: timeAt(bytes, AT.tsRecv),
    publisher: String(bytes.readUInt16LE(AT.publisher)),
    sequence: String(bytes.readUInt32LE(AT.sequence)),
    number,
    action: String.fromCharCode(bytes[AT.action] ?? 0),
    side: String.fromCharCode(bytes[AT.side] ?? 0),
    flags: bytes[AT.flags] ?? 0,
    price: priceAt(bytes, AT.price),
    size: String(bytes.readUInt32LE(AT.size)),
    book:
      depth === 0
        ? undefined
        : {
            depth,
            bids: levelsOf(bytes, depth, { price: LEVEL.bidPrice, size: LEVEL.bidSize }),
            asks: levelsOf(bytes, depth, { price: LEVEL.askPrice, size: LEVEL.askSize }),
          },
  }
}

type Offsets = { price: number; size: number }

function levelsOf(bytes: Buffer, depth: number, { price, size }: Offsets): (readonly [string, string])[] {
  return Array.from({ length: depth }, (_value, level) => {
    const at = BASE_BYTES + level * LEVEL.bytes
    return [priceAt(bytes, at + price), String(bytes.readUInt32LE(at + size))] as const
  })
}

function priceAt(bytes: Buffer, at: number): string {
  const units = bytes.readBigInt64LE(at)
  return units === NO_PRICE ? '' : fromUnits(units, PRICE_SCALE)
}

function timeAt(bytes: Buffer, at: number): string {
  const time = bytes.readBigUInt64LE(at)
  return time === NO_TIME ? '' : String(time)
}
