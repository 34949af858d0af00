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

/** Method and path are in the route table, under the same id. */
export type Call = [id: string, summary: string, ...errors: ErrorCode[]]
export const WALKS: ErrorCode[] = ['cursor.invalid', 'cursor.filter_mismatch']
