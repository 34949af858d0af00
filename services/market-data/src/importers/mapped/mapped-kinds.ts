import { splitCsv } from '../csv.ts'
import { ImportProblem } from '../import-problem.ts'
import type { Kind, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { columnsOf, mapRows } from './map-rows.ts'
import type { Mapping } from './mapping.ts'
import { readParquet, verifyParquet } from './read-parquet.ts'

const PARQUET_MAGIC = 'PAR1'

/** The kinds that a mapping file makes possible. */
export function mappedKinds(mapping: Mapping): readonly Kind[] {
  return [
    {
      name: 'csv',
      description: 'CSV with the columns of the mapping file',
      isLike: ({ lines, bytes }) =>
        !isParquet(bytes) && missingColumns(mapping, headerOf(mapping, lines[0])).length === 0,
      createReader: () => readMappedCsv(mapping),
    },
    {
      name: 'parquet',
      description: 'Parquet with the columns of the mapping file',
      isLike: ({ bytes }) => isParquet(bytes),
      verify: (source) => verifyParquet(mapping, source),
      createReader: () => (source, run) => readParquet(mapping, source, run),
    },
  ]
}

function isParquet(bytes: Buffer): boolean {
  return bytes.subarray(0, PARQUET_MAGIC.length).toString('latin1') === PARQUET_MAGIC
}

function headerOf(mapping: Mapping, line: string | undefined): string[] {
  return mapping.columns ?? fieldsOf(mapping, line ?? '')
}

function fieldsOf({ delimiter = ',' }: Mapping, line: string): string[] {
  return delimiter === ',' ? splitCsv(line) : line.split(delimiter)
}

function missingColumns(mapping: Mapping, columns: readonly string[]): string[] {
  return columnsOf(mapping).filter((column) => !columns.includes(column))
}

function readMappedCsv(mapping: Mapping): ReadFile {
  return (source, run) => {
    const header = headerOf(mapping, run.head.lines[0])
    const missing = missingColumns(mapping, header)
    if (missing.length > 0) throw new ImportProblem(source.file, undefined, `has no column ${missing.join(', ')}`)
    const positions = new Map(header.map((column, index) => [column, index]))
    const take = mapRows(mapping, run)
    return readByLine(source, run, (line, number) => {
      if (number === 1 && mapping.columns === undefined) return
      const fields = fieldsOf(mapping, line)
      if (fields.length !== header.length) throw new Error(`has ${fields.length} columns instead of ${header.length}`)
      take((column) => fields[positions.get(column) ?? -1] ?? '', number)
    })
  }
}
