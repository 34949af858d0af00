import type { ErrorCode } from '@tapeline/contracts/error-code'

/** `id` is the operation's name in the OpenAPI document and its anchor in the reference: it never changes. */
export type Operation = {
  id: string
  group: OperationGroup
  summary: string
  /** Failures of this call's own, beside those that credential, limits and body bring. */
  errors: readonly ErrorCode[]
}
export type OperationGroup =
  | 'market-data'
  | 'limits'
  | 'keys'
  | 'usage'
  | 'requests'
  | 'sign-in'
  | 'account'
  | 'google'
  | 'plan'
  | 'settings'
  | 'notifications'
  | 'admin-flags'
  | 'admin-configs'
  | 'admin-tiers'
  | 'admin-users'

/** `METHOD /path/{parameter}` and what is said of it. */
export type Call = [call: string, id: string, summary: string, ...errors: ErrorCode[]]
export const INTERNAL = '/api/v1/internal'
export const WALKS: ErrorCode[] = ['cursor.invalid', 'cursor.filter_mismatch']
