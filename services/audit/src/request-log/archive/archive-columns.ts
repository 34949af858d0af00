import { type Decision, POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { Encoding, SchemaElement } from 'hyparquet'
import { limitsText } from '../request-kind.ts'
import type { ArchivedRequest } from './archived-request.ts'

// The columns of an archived day. What many requests have in common becomes dictionaries, counts and times become differences, and
// what few requests have (caps of a key, shadow limits) is JSON, so that most of a row's bytes are its two ids.

type Element = Omit<SchemaElement, 'name' | 'repetition_type'>
type Value = string | number | bigint | boolean | null | undefined
type Column = {
  name: string
  element: Element
  encoding?: Encoding
  isNullable?: true
  of: (request: ArchivedRequest, windows: WindowsByPolicy) => Value
}
type WindowsByPolicy = Partial<Record<Policy, Decision['windows'][number]>>

export const US_PER_MS = 1_000
const TEXT: Element = { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
const UUID: Element = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }
const DIFFERENCES = 'DELTA_BINARY_PACKED'

function text(name: string, of: Column['of']): Column {
  return { name, element: TEXT, isNullable: true, of }
}

function count(name: string, of: (request: ArchivedRequest, windows: WindowsByPolicy) => number | null | undefined) {
  const column: Column = {
    name,
    element: { type: 'INT64' },
    encoding: DIFFERENCES,
    isNullable: true,
    of(request, windows) {
      const value = of(request, windows)
      return value === null || value === undefined ? null : BigInt(value)
    },
  }
  return column
}

/** Mostly alone in its window: then the wait is constant, and elsewhere the moment changes less often. */
export const RELATIVE_RESET: Policy = 'burst'

const WINDOW_COLUMNS: readonly Column[] = POLICIES.flatMap((policy) => [
  count(usedColumn(policy), (_, windows) => windows[policy]?.used),
  policy === RELATIVE_RESET
    ? count(resetColumn(policy), (_, windows) => windows[policy]?.reset_ms)
    : {
        name: resetColumn(policy),
        element: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const,
        encoding: DIFFERENCES,
        isNullable: true as const,
        of({ timeUs }: ArchivedRequest, windows: WindowsByPolicy) {
          const ms = windows[policy]?.reset_ms
          return ms === undefined ? null : BigInt(ms) + BigInt(Math.floor(timeUs / US_PER_MS))
        },
      },
])

export const COLUMNS: readonly Column[] = [
  { name: 'account', element: { type: 'INT32' }, encoding: DIFFERENCES, of: ({ account }) => account },
  {
    name: 'time',
    element: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    encoding: DIFFERENCES,
    of: ({ timeUs }) => BigInt(Math.floor(timeUs / US_PER_MS)),
  },
  { name: 'time_us', element: { type: 'INT32' }, encoding: DIFFERENCES, of: ({ timeUs }) => timeUs % US_PER_MS },
  { name: 'id', element: UUID, of: ({ id }) => id },
  { name: 'request_id', element: UUID, of: ({ request_id }) => request_id },
  text('account_id', ({ account_id }) => account_id),
  text('key_id', ({ key_id }) => key_id),
  text('kid', ({ kid }) => kid),
  text('tier', ({ tier }) => tier),
  text('method', ({ method }) => method),
  text('route', ({ route }) => route),
  { name: 'status', element: { type: 'INT32' }, of: ({ status }) => status },
  text('outcome', ({ outcome }) => outcome),
  text('code', ({ code }) => code),
  text('gateway_id', ({ gateway_id }) => gateway_id),
  text('network', ({ network }) => network),
  count('upstream_latency_us', ({ upstream_latency_us }) => upstream_latency_us),
  // The whole latency would repeat the digits of the service's.
  count('gateway_latency_us', (request) => request.latency_us - (request.upstream_latency_us ?? 0)),
  count('bytes_in', ({ bytes_in }) => bytes_in),
  count('bytes_out', ({ bytes_out }) => bytes_out),
  count('rows_returned', ({ rows_returned }) => rows_returned),
  text('rejected_fields', ({ rejected_fields: fields }) => (fields === undefined ? null : JSON.stringify(fields))),
  text('verdict', ({ decision }) => decision.verdict),
  { name: 'degraded', element: { type: 'BOOLEAN' }, of: ({ decision }) => decision.degraded },
  text('denied_by', ({ decision }) => decision.denied_by.join(',')),
  count('retry_after_ms', ({ decision }) => decision.retry_after_ms),
  text('limits', ({ decision }) => limitsText(decision.windows)),
  ...WINDOW_COLUMNS,
  text('key_decision', ({ decision }) => furtherJson(decision)),
]

export function usedColumn(policy: Policy): string {
  return `used_${policy}`
}

export function resetColumn(policy: Policy): string {
  return policy === RELATIVE_RESET ? `reset_${policy}_ms` : `reset_${policy}`
}

/** Caps of the key and shadow limits. */
function furtherJson({ key_denied_by, key_windows, shadow, key_shadow }: Decision): string | null {
  const further = { key_denied_by, key_windows, shadow, key_shadow }
  return Object.values(further).every((part) => part === undefined) ? null : JSON.stringify(further)
}

export function schemaOfArchive(): SchemaElement[] {
  return [
    { name: 'root', num_children: COLUMNS.length },
    ...COLUMNS.map(({ name, element, isNullable }) => ({
      ...element,
      name,
      repetition_type: isNullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ]
}

/** The values of each column, in the order of the requests. */
export function columnsOf(requests: readonly ArchivedRequest[]) {
  const windows = requests.map(({ decision }) => {
    const byPolicy: WindowsByPolicy = {}
    for (const window of decision.windows) byPolicy[window.policy] = window
    return byPolicy
  })
  return COLUMNS.map(({ name, encoding, of }) => ({
    name,
    data: requests.map((request, n) => of(request, windows[n] ?? {})),
    statistics: name === 'account' || name === 'time',
    ...(encoding === undefined ? {} : { encoding }),
  }))
}
