import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { AlertChannel } from '@tapeline/contracts/audit/alerts'
import type { CustomReport } from '@tapeline/contracts/audit/reports'
import type { Policy } from '@tapeline/contracts/usage/events'

export const BREAKDOWNS: readonly { value: CustomReport['breakdown']; label: MessageDescriptor }[] = [
  { value: 'hour', label: msg`by hour` },
  { value: 'day', label: msg`by day` },
  { value: 'endpoint', label: msg`by endpoint` },
  { value: 'key', label: msg`by key` },
  { value: 'status', label: msg`by status` },
  { value: 'outcome', label: msg`by outcome` },
  { value: 'network', label: msg`by network` },
]

export const FORMATS: readonly { value: CustomReport['format']; label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'parquet', label: 'Parquet' },
  { value: 'pdf', label: 'PDF' },
]

/** ISO 8601: Monday is 1. */
export const WEEKDAYS: readonly MessageDescriptor[] = [
  msg`Monday`,
  msg`Tuesday`,
  msg`Wednesday`,
  msg`Thursday`,
  msg`Friday`,
  msg`Saturday`,
  msg`Sunday`,
]

export const STATUSES: readonly { value: NonNullable<CustomReport['status']> | ''; label: MessageDescriptor }[] = [
  { value: '', label: msg`all statuses` },
  { value: '2xx', label: msg`only 2xx` },
  { value: '3xx', label: msg`only 3xx` },
  { value: '4xx', label: msg`only 4xx` },
  { value: '5xx', label: msg`only 5xx` },
]

export const WINDOWS: readonly { value: Policy; label: MessageDescriptor }[] = [
  { value: 'month', label: msg`requests per month` },
  { value: 'day', label: msg`requests per day` },
  { value: 'hour', label: msg`requests per hour` },
  { value: 'min', label: msg`requests per minute` },
  { value: 'burst', label: msg`requests per second` },
  { value: 'conc', label: msg`concurrent requests` },
]

export const CHANNELS: readonly { value: AlertChannel; label: MessageDescriptor }[] = [
  { value: 'email', label: msg`Email` },
  { value: 'push', label: msg`Push` },
  { value: 'webhook', label: msg`Webhook` },
]

/** The name of a key of a report or alert. While the keys are not loaded, it is not known whether it still exists. */
export function keyName(keys: readonly { id: string; name: string }[] | undefined, id: string): string {
  if (keys === undefined) return t`one key`
  return keys.find((key) => key.id === id)?.name ?? t`a deleted key`
}
