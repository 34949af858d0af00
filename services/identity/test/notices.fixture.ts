/** Data of a notification about a daily limit. */
export const USED_UP = {
  kind: 'quota' as const,
  data: { policy: 'day' as const, level: 100 as const, used: 1_000, limit: 1_000, period: '2026-03-01', ends_at: null },
}
