/** Who changed something, in few words: their number's last digits, or the reader themself. */
export function whoChanged(changedBy: string | null, readerId: string): string {
  if (changedBy === null) return 'the platform'
  return changedBy === readerId ? 'you' : `account …${changedBy.slice(-8)}`
}
