import type { Decision, RejectedField, UsageRequestServed } from '@tapeline/contracts/usage/events'

type Facts = Pick<
  UsageRequestServed,
  | 'account_id'
  | 'key_id'
  | 'kid'
  | 'tier'
  | 'method'
  | 'route'
  | 'status'
  | 'outcome'
  | 'code'
  | 'latency_us'
  | 'upstream_latency_us'
  | 'bytes_in'
  | 'bytes_out'
  | 'rows_returned'
  | 'gateway_id'
  | 'request_id'
  | 'network'
>

/** A request as an archived day has it: the values of its event. */
export type ArchivedRequest = Facts & {
  id: string
  /** Microseconds since 1970. */
  timeUs: number
  /** Number of the account in `request_account`; files are sorted by it. */
  account: number
  rejected_fields: RejectedField[] | undefined
  decision: Decision
}
