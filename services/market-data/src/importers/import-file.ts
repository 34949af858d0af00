import { ImportProblem } from './import-problem.ts'
import type { FileRun, ImportDeps, Kind, ReadFile } from './kind.ts'
import { createRecordWriter } from './record-writer.ts'
import type { Head } from './sources/read-head.ts'
import type { Source } from './sources/open-source.ts'
import type { FileSummary, RefusedLine } from './summary.ts'

/** A file with more unreadable lines is probably of another kind. */
const REFUSED_MAX = 1_000
const REFUSED_SHOWN = 20

export type FileToImport = { source: Source; head: Head; kind: Kind; read: ReadFile }

/** `stored` resolves when every record is stored. */
export type ReadFileResult = { stored: Promise<FileSummary> }

/**
 * Reads one file and stores its new records, some of them after this function has returned. Safe to repeat, also after
 * a kill, because stored records are recognized.
 * @throws ImportProblem
 */
export async function importFile(
  deps: ImportDeps,
  { source, head, kind, read }: FileToImport,
): Promise<ReadFileResult> {
  const writer = createRecordWriter(deps, { hasConsecutiveTradeIds: kind.hasConsecutiveTradeIds ?? false })
  const refused: { count: number; first: RefusedLine[] } = { count: 0, first: [] }
  const notes: string[] = []
  const run: FileRun = {
    deps,
    head,
    trade: writer.trade,
    l2Event: writer.l2Event,
    drain: writer.drain,
    note: (text) => void notes.push(text),
    refuse(line, reason) {
      refused.count += 1
      if (refused.first.length < REFUSED_SHOWN) refused.first.push({ line, reason })
      if (refused.count > REFUSED_MAX) {
        throw new ImportProblem(source.file, line, `${reason}; more than ${REFUSED_MAX} lines are unreadable`)
      }
    },
  }
  await read(source, run)
  await writer.flush()
  const { found, added } = writer
  const stored = writer.finish().then(() => ({
    file: source.file,
    kind: kind.name,
    instruments: writer.instruments(),
    trades: { found: found.trades, added: added.trades },
    l2_events: { found: found.l2Events, added: added.l2Events },
    gaps: found.gaps,
    missing_trades: writer.missingTrades(),
    refused,
    notes,
  }))
  // The caller awaits it later, perhaps after another file.
  stored.catch(() => {})
  return { stored }
}
