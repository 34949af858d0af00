import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { ImportProblem } from './import-problem.ts'
import { createWriter, describeAdded, type ImportDeps, type ImportResult } from './import-run.ts'
import { type LeanDay, parseLeanName, parseLeanRow } from './lean-rows.ts'
import { newYorkMidnight } from './new-york-midnight.ts'
import { linesOf } from './read-lines.ts'
import { inflateEntry, readZip, type ZipEntry } from './read-zip.ts'

const ARCHIVE_BYTES_MAX = 1024 ** 3

/** One day of trades of one US stock: a zip with one CSV whose name holds day and ticker. */
export async function importLeanTrade(deps: ImportDeps, file: string): Promise<ImportResult> {
  const { entry, ticker, day } = await openDay(file)
  const instrumentId = await registerInstrument(deps.db, {
    venue: 'us-equity',
    symbol: `${ticker}-USD`,
    venueSymbol: ticker,
    base: ticker,
    quote: 'USD',
    sizeUnit: 'base',
    tsEventPrecision: 'ms',
  })
  const writer = createWriter(deps)
  let rows = 0
  let bytes = 0
  for await (const line of linesOf(file, Readable.from(inflateEntry(entry)))) {
    if (line === '') continue
    rows += 1
    bytes += line.length + 1
    const trade = parse(() => parseLeanRow(line, rows, day), `${basename(file)}/${entry.name}`, rows)
    await writer.write({ instrumentId, trades: [trade], l2Events: [] })
    deps.progress.advance((bytes / entry.size) * entry.compressed.length, rows)
  }
  await writer.flush()
  if (rows === 0) throw new ImportProblem(file, undefined, 'holds no trades')
  const { trades: added } = writer.added
  return { file, lines: [describeAdded('trades', rows, added)], found: rows, added }
}

async function openDay(file: string): Promise<{ entry: ZipEntry; ticker: string; day: LeanDay }> {
  const archive = await readFile(file)
  if (archive.length > ARCHIVE_BYTES_MAX) throw new ImportProblem(file, undefined, 'is larger than 1 GiB')
  const entries = parse(() => readZip(archive), file)
  const [entry] = entries
  if (entry === undefined || entries.length > 1)
    throw new ImportProblem(file, undefined, 'must hold exactly one CSV file')
  const name = parseLeanName(basename(entry.name))
  if (name === undefined) {
    throw new ImportProblem(file, undefined, `${entry.name} is not named like 20131007_spy_Trade_Tick.csv`)
  }
  const midnightMs = newYorkMidnight(name.day)
  if (midnightMs === undefined) throw new ImportProblem(file, undefined, `${entry.name}: there is no day ${name.day}`)
  return { entry, ticker: name.ticker, day: { day: name.day, midnightMs } }
}

function parse<T>(read: () => T, file: string, line?: number): T {
  try {
    return read()
  } catch (error) {
    throw new ImportProblem(file, line, error instanceof Error ? error.message : 'cannot be read')
  }
}
