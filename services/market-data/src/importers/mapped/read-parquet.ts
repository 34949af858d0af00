import { open } from 'node:fs/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet'
import { fromUnits } from '../../decimal-units.ts'
import { ImportProblem } from '../import-problem.ts'
import type { FileRun } from '../kind.ts'
import type { Source } from '../sources/open-source.ts'
import { unreadable } from '../sources/read-lines.ts'
import { columnsOf, mapRows } from './map-rows.ts'
import type { Mapping } from './mapping.ts'

const ROWS_PER_READ = 20_000
const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes)),
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)),
}

/** Throws an ImportProblem that names the columns of the mapping that the file does not have. */
export function verifyParquet(mapping: Mapping, source: Source): Promise<void> {
  return withFile(source, (_file, metadata) => void scalesOf(metadata, columnsOf(mapping), source.file))
}

/** Rows are numbered from 1. The file must not be compressed as a whole. */
export async function readParquet(mapping: Mapping, source: Source, run: FileRun): Promise<void> {
  const { parquetReadObjects } = await import('hyparquet')
  await withFile(source, async (file, metadata) => {
    const columns = columnsOf(mapping)
    const scales = scalesOf(metadata, columns, source.file)
    const floats = metadata.schema.filter(({ type }) => type === 'FLOAT').map(({ name }) => name)
    const valueOf = (values: Record<string, unknown>, column: string) =>
      floats.includes(column) ? shortest(values[column]) : values[column]
    const exact = { ...metadata, schema: metadata.schema.map(readExactly) }
    const take = mapRows(mapping, run)
    const rows = Number(metadata.num_rows)
    for (let rowStart = 0; rowStart < rows; rowStart += ROWS_PER_READ) {
      const rowEnd = Math.min(rows, rowStart + ROWS_PER_READ)
      const range = { columns, rowStart, rowEnd }
      const part = await parquetReadObjects({ file, metadata: exact, ...range, compressors, utf8: false })
      for (const [index, values] of part.entries()) {
        const number = rowStart + index + 1
        try {
          take((column) => textOf(column, valueOf(values, column), scales.get(column)), number)
        } catch (error) {
          run.refuse(number, error instanceof Error ? error.message : 'cannot be read')
        }
      }
      await run.drain()
      run.deps.progress.advance((source.sizeBytes * rowEnd) / rows, rowEnd)
    }
  })
}

type Work = (file: AsyncBuffer, metadata: FileMetaData) => void | Promise<void>

async function withFile(source: Source, work: Work): Promise<void> {
  const { parquetMetadataAsync } = await import('hyparquet')
  const handle = await open(source.file)
  try {
    const file: AsyncBuffer = {
      byteLength: source.sizeBytes,
      async slice(start, end = source.sizeBytes) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
        return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + bytesRead)
      },
    }
    await work(file, await parquetMetadataAsync(file, { geoparquet: false }))
  } catch (error) {
    throw unreadable(source, error)
  } finally {
    await handle.close()
  }
}

type Scale = number | undefined

/** Decimals after the point of each DECIMAL column; undefined for other types. */
function scalesOf({ schema }: FileMetaData, columns: readonly string[], file: string): Map<string, Scale> {
  const elements = new Map(schema.slice(1).map((element) => [element.name, element]))
  const missing = columns.filter((column) => !elements.has(column))
  if (missing.length > 0) throw new ImportProblem(file, undefined, `has no column ${missing.join(', ')}`)
  return new Map(columns.map((column) => [column, scaleOf(elements.get(column))]))
}

function scaleOf(element: SchemaElement | undefined): Scale {
  if (element?.logical_type?.type === 'DECIMAL') return element.logical_type.scale
  return element?.converted_type === 'DECIMAL' ? (element.scale ?? 0) : undefined
}

/**
 * hyparquet reads DECIMAL as a float and times as milliseconds; without the annotation an integer and the bytes of a
 * decimal arrive exactly. Bytes that are not a decimal are text.
 */
function readExactly(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: _logical, ...plain } = element
  if (isUnsigned(element)) return element
  const isInteger = element.type === 'INT64' || element.type === 'INT32'
  if (isInteger || scaleOf(element) !== undefined) return plain
  const isText = element.type === 'BYTE_ARRAY' && (converted === undefined || converted === 'ENUM')
  return isText ? { ...element, converted_type: 'UTF8' } : element
}

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return (converted?.startsWith('UINT_') ?? false) || (logical?.type === 'INTEGER' && !logical.isSigned)
}

const FLOAT_DIGITS = [6, 7, 8, 9]

/** A single-precision float as a double of the fewest digits: 0.1 instead of 0.10000000149011612. */
function shortest(value: unknown): unknown {
  if (typeof value !== 'number') return value
  return (
    FLOAT_DIGITS.map((digits) => Number(value.toPrecision(digits))).find((one) => Math.fround(one) === value) ?? value
  )
}

function textOf(column: string, value: unknown, scale: Scale): string {
  if (value === null || value === undefined) return ''
  if (scale !== undefined) return fromUnits(unitsOf(column, value), scale)
  if (isScalar(value)) return String(value)
  throw unsupported(column)
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

function unitsOf(column: string, value: unknown): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
  if (value instanceof Uint8Array) return integerOf(value)
  throw unsupported(column)
}

function unsupported(column: string): Error {
  return new Error(`${column} is of a type that is not supported`)
}

/** The two's complement integer in big-endian bytes. */
function integerOf(bytes: Uint8Array): bigint {
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return digits === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${digits}`))
}
