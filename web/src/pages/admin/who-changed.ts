const UUID_LENGTH = 36

/** Who changed something, in few words: their number's last digits, or the reader themself. */
export function whoChanged(changedBy: string | null, readerId: string): string {
  if (changedBy?.length !== UUID_LENGTH) return 'the platform'
  return changedBy === readerId ? 'you' : `account …${changedBy.slice(-8)}`
}
