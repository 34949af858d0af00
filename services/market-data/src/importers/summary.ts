export type Added = { found: number; added: number }
export type RefusedLine = { line: number; reason: string }

/** Result of importing one file, as `--json` prints it. */
export type FileSummary = {
  file: string
  kind: string
  instruments: string[]
  trades: Added
  l2_events: Added
  gaps: number
  /** Missing ids between the first and the last of the file, if the venue's ids are consecutive. */
  missing_trades: number
  refused: { count: number; first: RefusedLine[] }
  notes: string[]
}

export function describeFile(summary: FileSummary): string {
  const { file, kind, instruments, trades, l2_events, gaps, missing_trades, refused, notes } = summary
  const lines = [
    `${kind}: ${instruments.join(', ') || 'no records'}`,
    ...(trades.found === 0 ? [] : [describeAdded('trades', trades)]),
    ...(missing_trades === 0 ? [] : [`${count(missing_trades)} trades are missing by their ids; recorded as gaps`]),
    ...(l2_events.found === 0 ? [] : [`${describeAdded('book events', l2_events)}; ${count(gaps)} gaps`]),
    ...notes,
    ...describeRefused(refused),
  ]
  return `${file}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

function describeRefused({ count: all, first }: FileSummary['refused']): string[] {
  if (all === 0) return []
  const omitted = all - first.length
  return [
    `${count(all)} ${all === 1 ? 'line' : 'lines'} rejected and not stored:`,
    ...first.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(omitted === 0 ? [] : [`  and ${count(omitted)} more`]),
  ]
}

function describeAdded(what: string, { found, added }: Added): string {
  const existing = found - added
  const suffix = existing === 0 ? '' : `, ${count(existing)} were already stored`
  return `${count(found)} ${what}: ${count(added)} added${suffix}`
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}
