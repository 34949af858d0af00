import { t } from '@lingui/core/macro'

const UUID_LENGTH = 36

/** The author of a change: the last digits of their id, or "you". */
export function whoChanged(changedBy: string | null, readerId: string): string {
  if (changedBy?.length !== UUID_LENGTH) return t`the platform`
  return changedBy === readerId ? t`you` : t`account …${changedBy.slice(-8)}`
}
