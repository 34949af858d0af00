import type { BillingSystem, Statement } from '@tapeline/contracts/audit/statements'

/** Meters of a statement, each with the count that it charges. */
const METERS = [
  { code: 'api_requests', field: 'admitted' },
  { code: 'response_bytes', field: 'bytes_out' },
  { code: 'rows_returned', field: 'rows_returned' },
] as const

type MeterLine = { id: string; code: string; day: string; seconds: number; value: number }
const MS_PER_SECOND = 1_000
const DAY_MS = 86_400_000

/**
 * A line per meter and closed day, in the shape that a billing system imports. The identifier of a line depends on
 * account, day and meter only, so that importing it twice charges once: a line whose value can still change is left out.
 * Corrections have lines of their own, once the statement is final.
 */
export function invoiceLines(statement: Statement, system: BillingSystem, customer: string): unknown[] {
  const lines = [
    ...meterLines(statement, 'lines').filter(({ day }) => isClosed(day, statement)),
    ...(statement.final ? meterLines(statement, 'corrections') : []),
  ]
  return lines.map((line) => shapes[system](line, customer))
}

function isClosed(day: string, { closed_until: closedUntil }: Statement): boolean {
  return Date.parse(day) + DAY_MS <= Date.parse(closedUntil)
}

function meterLines({ account_id, month, ...statement }: Statement, part: 'lines' | 'corrections'): MeterLine[] {
  const days = Map.groupBy(statement[part], ({ day }) => day)
  const suffix = part === 'lines' ? '' : `-correction-${month}`
  return [...days]
    .flatMap(([day, lines]) =>
      METERS.map(({ code, field }) => ({
        id: `${account_id}-${day}-${code}${suffix}`,
        code,
        day,
        seconds: Date.parse(day) / MS_PER_SECOND,
        value: lines.reduce((sum, line) => sum + line[field], 0),
      })),
    )
    .filter(({ value }) => value > 0)
}

const shapes: Record<BillingSystem, (line: MeterLine, customer: string) => unknown> = {
  /** Body of `POST /v1/billing/meter_events`. */
  stripe: ({ id, code, seconds, value }, customer) => ({
    event_name: code,
    identifier: id,
    timestamp: seconds,
    payload: { stripe_customer_id: customer, value: String(value) },
  }),
  /** A CloudEvent of `POST /api/v1/events`. */
  openmeter: ({ id, code, day, value }, customer) => ({
    specversion: '1.0',
    id,
    source: 'tapeline',
    type: code,
    subject: customer,
    time: `${day}T00:00:00Z`,
    data: { value },
  }),
  /** Body of `POST /api/v1/events`. */
  lago: ({ id, code, seconds, value }, customer) => ({
    event: {
      transaction_id: id,
      external_subscription_id: customer,
      code,
      timestamp: seconds,
      properties: { value },
    },
  }),
}
