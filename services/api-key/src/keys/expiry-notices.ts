const DAY_MS = 24 * 60 * 60 * 1_000

/** Notices before an expiry, in order; `api_key.expiry_notice` is the number of the last one. */
const NOTICES = [{ daysLeft: 7 }, { daysLeft: 1 }, { daysLeft: 0 }] as const
export const WARNING_DAYS_MAX = 7
export const EXPIRED_NOTICE = NOTICES.length

/** Number of the notice that is due; 0: none yet. An earlier missed one is skipped. */
export function dueNotice(expiresAt: Date | null, now: Date): number {
  if (expiresAt === null) return 0
  const leftMs = expiresAt.getTime() - now.getTime()
  return NOTICES.filter(({ daysLeft }) => leftMs <= daysLeft * DAY_MS).length
}

/** Days left according to the notice; 0: the key has expired. */
export function daysLeftOf(notice: number): number {
  return NOTICES[notice - 1]?.daysLeft ?? 0
}
