import type { Kind } from '../kind.ts'
import { type DbnSchema, schemaOf } from './dbn-metadata.ts'
import { type BookDepth, csvHeader, readDatabentoCsv } from './read-databento-csv.ts'
import { readDbn } from './read-dbn.ts'

export const databentoKinds: readonly Kind[] = [
  csvKind('databento-trades', 0, 'Databento CSV of schema trades'),
  csvKind('databento-mbp-1', 1, 'Databento CSV of schema mbp-1: trades and quotes'),
  csvKind('databento-mbp-10', 10, 'Databento CSV of schema mbp-10: trades and books of ten levels'),
  dbnKind('trades', 'Databento DBN of schema trades'),
  dbnKind('mbp-1', 'Databento DBN of schema mbp-1: trades and quotes'),
  dbnKind('mbp-10', 'Databento DBN of schema mbp-10: trades and books of ten levels'),
]

function csvKind(name: string, depth: BookDepth, description: string): Kind {
  const header = csvHeader(depth)
  const read = readDatabentoCsv(depth)
  return { name, description, isLike: ({ lines }) => lines[0] === header, createReader: () => read }
}

function dbnKind(schema: DbnSchema, description: string): Kind {
  const read = readDbn(schema)
  return {
    name: `dbn-${schema}`,
    description,
    isLike: ({ bytes }) => schemaOf(bytes) === schema,
    createReader: () => read,
  }
}
