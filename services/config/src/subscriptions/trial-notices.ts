const DAY_MS = 86_400_000

/** Days before the end on which an account is told of it, in this order. */
export const NOTICE_DAYS = [3, 1] as const
export const LAST_NOTICE = NOTICE_DAYS.length

/** Number of the notice that is due; 0: none yet. One that was missed is not made up for. */
export function dueNotice(endsAt: Date, now: Date): number {
  const leftMs = endsAt.getTime() - now.getTime()
  return NOTICE_DAYS.filter((days) => leftMs <= days * DAY_MS).length
}

/** Begun days until the end. */
export function daysLeft(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS))
}
