import type { StatementLine } from '@tapeline/contracts/audit/statements'
import type { ColumnType } from 'kysely'

type Instant = ColumnType<Date, string, string>
type Count = ColumnType<string, number, never>

/** One row: hours before `closed_until` accept no rows any more; those before `sealed_until` have their closed rows. */
export type UsageClosingTable = { id: number; closed_until: Instant; sealed_until: Instant }

/** Usage of an account in a closed hour, and the Merkle root of its rows. Append-only. */
export type UsageClosedHourTable = {
  account_id: string
  hour_at: Instant
  requests: Count
  root: Buffer
  lines: ColumnType<Omit<StatementLine, 'day'>[], string, never>
  closed_at: Instant
}

/** A logged request that arrived after its hour was closed. Append-only. The last three are null in rows of earlier releases. */
export type UsageCorrectionTable = {
  id: string
  account_id: string
  hour_at: Instant
  recorded_at: Instant
  time: ColumnType<Date | null, string, never>
  leaf: Buffer | null
  line: ColumnType<Omit<StatementLine, 'day'> | null, string, never>
}

/** A signed statement as JSON text. Append-only. */
export type UsageStatementTable = { account_id: string; month: string; document: string; issued_at: Instant }

export type StatementTables = {
  usage_closing: UsageClosingTable
  usage_closed_hour: UsageClosedHourTable
  usage_correction: UsageCorrectionTable
  usage_statement: UsageStatementTable
}
