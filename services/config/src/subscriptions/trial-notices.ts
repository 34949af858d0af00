const DAY_MS = 86_400_000

/** Days before the end at which a notice is sent, in order. */
export const NOTICE_DAYS = [3, 1] as const
export const LAST_NOTICE = NOTICE_DAYS.length

/** Number of the notice that is due; 0: none yet. A missed one is skipped. */
export function dueNotice(endsAt: Date, now: Date): number {
  const leftMs = endsAt.getTime() - now.getTime()
  return NOTICE_DAYS.filter((days) => leftMs <= days * DAY_MS).length
}

/** Days until the end, rounded up. */
export function daysLeft(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS))
}
