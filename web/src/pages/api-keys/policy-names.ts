/** The limiter's policies in the words of the dashboard. */
export const POLICY_NAMES = {
  burst: 'Burst',
  min: 'Minute',
  hour: 'Hour',
  day: 'Day',
  month: 'Month',
  conc: 'Concurrent',
} as const
