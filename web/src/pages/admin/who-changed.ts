import { t } from '@lingui/core/macro'

const UUID_LENGTH = 36

/** Who changed something, in few words: their number's last digits, or the reader themself. */
export function whoChanged(changedBy: string | null, readerId: string): string {
  if (changedBy?.length !== UUID_LENGTH) return t`the platform`
  return changedBy === readerId ? t`you` : t`account …${changedBy.slice(-8)}`
}
