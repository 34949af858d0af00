import { Builder } from 'flatbuffers'
import { type ArrowColumn, padded } from './arrow-columns.ts'
import type { CellKind, TableColumn } from './record-table.ts'

/**
 * The encapsulated messages of an Arrow IPC stream. Field positions and constants are those of Message.fbs and Schema.fbs
 * (https://github.com/apache/arrow/tree/main/format), metadata version 5, little-endian.
 */
const VERSION_5 = 4
const HEADER = { schema: 1, recordBatch: 3 } as const
const TYPE = { int: 2, utf8: 5, bool: 6, timestamp: 10 } as const
const NANOSECOND = 3
const CONTINUATION = 0xff_ff_ff_ff
/** Fields of a table in the order of the schema files. */
const MESSAGE = { version: 0, headerType: 1, header: 2, bodyLength: 3, metadata: 4, fields: 5 } as const
const SCHEMA = { endianness: 0, columns: 1, fields: 4 } as const
const FIELD = { name: 0, nullable: 1, typeType: 2, type: 3, children: 5, fields: 7 } as const
const BATCH = { length: 0, nodes: 1, buffers: 2, fields: 5 } as const
/** A FieldNode or a Buffer: two int64. */
const PAIR_BYTES = 16
const OFFSET_BYTES = 4
const LONG_BYTES = 8

/** Ends a stream. */
export const END_OF_STREAM: Uint8Array = prefixOf(0)

export function schemaMessage(columns: readonly TableColumn[]): Uint8Array {
  const builder = new Builder()
  const fields = offsets(
    builder,
    columns.map((column) => fieldOf(builder, column)),
  )
  builder.startObject(SCHEMA.fields)
  builder.addFieldInt16(SCHEMA.endianness, 0, 0)
  builder.addFieldOffset(SCHEMA.columns, fields, 0)
  return message(builder, { type: HEADER.schema, offset: builder.endObject() }, 0)
}

/** `metadata`: custom metadata of the message. */
export function batchMessage(rows: number, columns: readonly ArrowColumn[], metadata?: Record<string, string>) {
  const builder = new Builder()
  const bodyBuffers = columns.flatMap(({ buffers }) => buffers)
  const nodes = pairs(
    builder,
    columns.map(({ nullCount }): Pair => [rows, nullCount]),
  )
  const buffers = pairs(builder, placesOf(bodyBuffers))
  const entries = Object.entries(metadata ?? {}).map(([key, value]) => keyValue(builder, key, value))
  const custom = entries.length === 0 ? 0 : offsets(builder, entries)
  builder.startObject(BATCH.fields)
  builder.addFieldInt64(BATCH.length, BigInt(rows), 0n)
  builder.addFieldOffset(BATCH.nodes, nodes, 0)
  builder.addFieldOffset(BATCH.buffers, buffers, 0)
  const header = { type: HEADER.recordBatch, offset: builder.endObject(), custom }
  const bodyBytes = bodyBuffers.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([message(builder, header, bodyBytes), ...bodyBuffers])
}

type Header = { type: number; offset: number; custom?: number }

function message(builder: Builder, { type, offset, custom = 0 }: Header, bodyBytes: number): Uint8Array {
  builder.startObject(MESSAGE.fields)
  builder.addFieldInt16(MESSAGE.version, VERSION_5, 0)
  builder.addFieldInt8(MESSAGE.headerType, type, 0)
  builder.addFieldOffset(MESSAGE.header, offset, 0)
  builder.addFieldInt64(MESSAGE.bodyLength, BigInt(bodyBytes), 0n)
  builder.addFieldOffset(MESSAGE.metadata, custom, 0)
  builder.finish(builder.endObject())
  const bytes = padded(builder.asUint8Array())
  return Buffer.concat([prefixOf(bytes.length), bytes])
}

function prefixOf(metadataBytes: number): Uint8Array {
  const prefix = Buffer.alloc(2 * OFFSET_BYTES)
  prefix.writeUInt32LE(CONTINUATION, 0)
  prefix.writeInt32LE(metadataBytes, OFFSET_BYTES)
  return prefix
}

function fieldOf(builder: Builder, { name, kind }: TableColumn): number {
  const nameAt = builder.createString(name)
  const children = offsets(builder, [])
  const type = TYPES[kind](builder)
  builder.startObject(FIELD.fields)
  builder.addFieldOffset(FIELD.name, nameAt, 0)
  builder.addFieldInt8(FIELD.nullable, 1, 0)
  builder.addFieldInt8(FIELD.typeType, type.id, 0)
  builder.addFieldOffset(FIELD.type, type.offset, 0)
  builder.addFieldOffset(FIELD.children, children, 0)
  return builder.endObject()
}

type ArrowType = { id: number; offset: number }

const TYPES: Record<CellKind, (builder: Builder) => ArrowType> = {
  text: (builder) => emptyType(builder, TYPE.utf8),
  boolean: (builder) => emptyType(builder, TYPE.bool),
  int32: (builder) => intType(builder, 32, true),
  uint64: (builder) => intType(builder, 64, false),
  time: (builder) => {
    const zone = builder.createString('UTC')
    builder.startObject(2)
    builder.addFieldInt16(0, NANOSECOND, 0)
    builder.addFieldOffset(1, zone, 0)
    return { id: TYPE.timestamp, offset: builder.endObject() }
  },
}

function emptyType(builder: Builder, id: number): ArrowType {
  builder.startObject(0)
  return { id, offset: builder.endObject() }
}

function intType(builder: Builder, bits: number, isSigned: boolean): ArrowType {
  builder.startObject(2)
  builder.addFieldInt32(0, bits, 0)
  builder.addFieldInt8(1, Number(isSigned), 0)
  return { id: TYPE.int, offset: builder.endObject() }
}

function keyValue(builder: Builder, key: string, value: string): number {
  const [keyAt, valueAt] = [builder.createString(key), builder.createString(value)]
  builder.startObject(2)
  builder.addFieldOffset(0, keyAt, 0)
  builder.addFieldOffset(1, valueAt, 0)
  return builder.endObject()
}

/** A vector of tables; flatbuffers are written from the end. */
function offsets(builder: Builder, tables: readonly number[]): number {
  builder.startVector(OFFSET_BYTES, tables.length, OFFSET_BYTES)
  for (const table of tables.toReversed()) builder.addOffset(table)
  return builder.endVector()
}

type Pair = readonly [number, number]

function pairs(builder: Builder, list: readonly Pair[]): number {
  builder.startVector(PAIR_BYTES, list.length, LONG_BYTES)
  for (const [first, second] of list.toReversed()) {
    builder.prep(LONG_BYTES, PAIR_BYTES)
    builder.writeInt64(BigInt(second))
    builder.writeInt64(BigInt(first))
  }
  return builder.endVector()
}

/** Offset and length of each buffer in the body. */
function placesOf(buffers: readonly Uint8Array[]): Pair[] {
  let offset = 0
  return buffers.map(({ length }): Pair => {
    offset += length
    return [offset - length, length]
  })
}
