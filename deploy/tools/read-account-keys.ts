import { ImportKeys, type ImportedKey } from '@tapeline/contracts/api-key/imports'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** `line`: the row of the file, from 1; a CSV file has its header in line 1. */
export type AccountKey = { line: number; account: string; key: ImportedKey }
/** `skipped`: rows that cannot be imported, with the reason. */
export type AccountKeys = { keys: AccountKey[]; skipped: string[] }

const Row = Type.Object({ account: Type.String({ minLength: 1 }) })
const ImportedKeySchema = ImportKeys.properties.keys.items
/** Several values in one field of a CSV file. */
const LISTS = new Set(['tags', 'scopes', 'networks'])

/**
 * Reads keys of many accounts: a JSON array of objects, or CSV with a header. `account` is an e-mail address or id, the other
 * fields are those of `POST /api/v1/internal/api-keys/import`.
 * @throws Error when the text is neither
 */
export function readAccountKeys(text: string): AccountKeys {
  const isJson = /^\s*\[/.test(text)
  const rows = isJson ? rowsOfJson(text) : rowsOfCsv(text)
  const read: AccountKeys = { keys: [], skipped: [] }
  for (const { line, fields } of rows) {
    const { account: _account, ...key } = fields
    const fault = faultOf(fields, key)
    if (fault !== undefined) read.skipped.push(`line ${line}: ${fault}`)
    else if (Value.Check(Row, fields) && Value.Check(ImportedKeySchema, key))
      read.keys.push({ line, account: fields.account, key })
  }
  return read
}

type Fields = Record<string, unknown>
type NumberedRow = { line: number; fields: Fields }

function faultOf(row: Fields, key: Fields): string | undefined {
  if (!Value.Check(Row, row)) return 'account is missing'
  const [error] = Value.Errors(ImportedKeySchema, key)
  if (error === undefined) return undefined
  return `${error.instancePath.slice(1) || 'the row'} ${error.message}`
}

function rowsOfJson(text: string): NumberedRow[] {
  const list: unknown = JSON.parse(text)
  return Value.Parse(Type.Array(Type.Record(Type.String(), Type.Unknown())), list).map((fields, n) => ({
    line: n + 1,
    fields,
  }))
}

function rowsOfCsv(text: string): NumberedRow[] {
  const [header, ...rows] = splitCsv(text)
  if (header === undefined || !header.cells.includes('account')) throw new Error('The file has no column "account".')
  return rows.map(({ line, cells }) => {
    const named = header.cells.map((name, n) => [name, cells[n] ?? ''] as const)
    return { line, fields: Object.fromEntries(named.filter(([, cell]) => cell !== '').map(valueOf)) }
  })
}

function valueOf([name, cell]: readonly [string, string]): [string, unknown] {
  if (LISTS.has(name)) return [name, cell.split(/[\s,;]+/).filter((part) => part !== '')]
  if (name === 'is_active' && /^(true|false)$/i.test(cell)) return [name, cell.toLowerCase() === 'true']
  return [name, cell]
}

/**
 * RFC 4180: fields in quotes may contain commas, line ends and doubled quotes.
 * @throws Error at an unclosed quote, or a quote inside an unquoted field
 */
function splitCsv(text: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  const content = text.replace(/^\uFEFF/, '')
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  let cells: string[] = []
  let [line, startedAt] = [1, 1]
  while (field.lastIndex < content.length) {
    const [found, quoted, plain = '', end] = field.exec(content) ?? []
    if (found === undefined) throw new Error(`Line ${line} is not CSV: a quote is not closed or stands inside a field.`)
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    line += found.split('\n').length - 1
    if (end === ',') continue
    if (cells.some((cell) => cell !== '')) rows.push({ line: startedAt, cells })
    cells = []
    startedAt = line
  }
  if (cells.some((cell) => cell !== '')) rows.push({ line: startedAt, cells })
  return rows
}
