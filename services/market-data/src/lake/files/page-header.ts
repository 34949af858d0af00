import { forEachField, readInteger, skip, type ThriftPlace } from './thrift.ts'

/** The fields of a PageHeader (parquet.thrift) that this reader uses; -1 where the page has no such field. */
export type PageHeader = {
  type: number
  unpackedBytes: number
  bytes: number
  values: number
  encoding: number
  /** Bytes of definition and repetition levels: 0 for a required column that is not nested. */
  levelBytes: number
}

export const PAGE_TYPES = { dictionary: 2, dataV2: 3 }
export const ENCODINGS = { plain: 0, plainDictionary: 2, deltaBinaryPacked: 5, rleDictionary: 8 }

const FIELDS = { type: 1, unpackedBytes: 2, bytes: 3, dictionary: 7, dataV2: 8 }
const DICTIONARY = { values: 1, encoding: 2 }
const DATA_V2 = { values: 1, encoding: 4, definitionBytes: 5, repetitionBytes: 6 }

/** Reads the header at `place` and advances past it. */
export function readPageHeader(place: ThriftPlace): PageHeader {
  const page: PageHeader = { type: -1, unpackedBytes: -1, bytes: -1, values: -1, encoding: -1, levelBytes: 0 }
  forEachField(place, (field, type) => {
    if (field === FIELDS.type) page.type = readInteger(place)
    else if (field === FIELDS.unpackedBytes) page.unpackedBytes = readInteger(place)
    else if (field === FIELDS.bytes) page.bytes = readInteger(place)
    else if (field === FIELDS.dictionary) readDictionaryPart(place, page)
    else if (field === FIELDS.dataV2) readDataPart(place, page)
    else skip(place, type)
  })
  return page
}

function readDictionaryPart(place: ThriftPlace, page: PageHeader): void {
  forEachField(place, (field, type) => {
    if (field === DICTIONARY.values) page.values = readInteger(place)
    else if (field === DICTIONARY.encoding) page.encoding = readInteger(place)
    else skip(place, type)
  })
}

function readDataPart(place: ThriftPlace, page: PageHeader): void {
  forEachField(place, (field, type) => {
    if (field === DATA_V2.values) page.values = readInteger(place)
    else if (field === DATA_V2.encoding) page.encoding = readInteger(place)
    else if (field === DATA_V2.definitionBytes || field === DATA_V2.repetitionBytes)
      page.levelBytes += readInteger(place)
    else skip(place, type)
  })
}
