import type { SignedStatement, Statement, StatementLine, StatementNode } from '@tapeline/contracts/audit/statements'
import type { Deps } from '../deps.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { findClosing } from './closing-queries.ts'
import { hashNode, merkleRoot } from './merkle-tree.ts'
import { addCounts, type HourLine, LineSums, NO_COUNTS, readCorrectionLeaves } from './read-leaves.ts'
import { listClosedHours, listCorrectedHours, type MonthRange } from './statement-queries.ts'

const DAY_CHARACTERS = 'YYYY-MM-DD'.length

export function monthRange(month: string): MonthRange {
  const from = new Date(`${month}-01T00:00:00Z`)
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) }
}

/** A signed statement over the closed hours of a month, and the corrections that were recorded in it. */
export async function buildStatement(
  { db, now, signer, store }: Pick<Deps, 'db' | 'now' | 'signer'> & ArchiveDeps,
  accountId: string,
  month: string,
): Promise<SignedStatement> {
  const range = monthRange(month)
  const closing = await findClosing(db)
  const closedUntil = new Date(Math.min((closing?.sealed_until ?? range.from).getTime(), range.to.getTime()))
  const hours = await listClosedHours(db, accountId, range)
  const lines = linesByDay(hours)
  const corrected = await readCorrections({ db, store }, accountId, range)
  const nodes = [...hours.map(nodeOf), ...corrected.nodes]
  const totals = { ...NO_COUNTS }
  for (const line of lines) addCounts(totals, line)
  const statement: Statement = {
    format: 'tapeline-usage-statement/1',
    account_id: accountId,
    month,
    final: closedUntil.getTime() >= range.to.getTime(),
    closed_until: closedUntil.toISOString(),
    issued_at: now().toISOString(),
    totals,
    lines,
    corrections: corrected.lines,
    nodes,
    merkle_root: merkleRoot(nodes.map(hashNode)).toString('hex'),
  }
  return { statement, signature: signer.sign(statement) }
}

function nodeOf({ hour_at, requests, root }: { hour_at: Date; requests: string; root: Buffer }): StatementNode {
  return { kind: 'hour', hour: hour_at.toISOString(), requests: Number(requests), root: root.toString('hex') }
}

function linesByDay(hours: readonly { hour_at: Date; lines: HourLine[] }[]): StatementLine[] {
  const days = Map.groupBy(hours, ({ hour_at }) => hour_at.toISOString().slice(0, DAY_CHARACTERS))
  return [...days].flatMap(([day, ofDay]) => {
    const sums = new LineSums()
    for (const line of ofDay.flatMap(({ lines }) => lines)) sums.add(line, countsOf(line))
    return sums.list().map((line) => ({ day, ...line }))
  })
}

function countsOf({ admitted, denied, refused, bytes_out, rows_returned }: HourLine) {
  return { admitted, denied, refused, bytes_out, rows_returned }
}

async function readCorrections(deps: ArchiveDeps, accountId: string, months: MonthRange) {
  const nodes: StatementNode[] = []
  const lines: StatementLine[] = []
  for (const hourAt of await listCorrectedHours(deps.db, accountId, months)) {
    const read = await readCorrectionLeaves(deps, { accountId, hourAt, months })
    const hour = hourAt.toISOString()
    nodes.push({
      kind: 'correction',
      hour,
      requests: read.hashes.length,
      root: merkleRoot(read.hashes).toString('hex'),
    })
    lines.push(...read.lines.map((line) => ({ day: hour.slice(0, DAY_CHARACTERS), ...line })))
  }
  return { nodes, lines }
}
