import { msg } from '@lingui/core/macro'

/** The limiter's policies in the words of the dashboard. */
export const POLICY_NAMES = {
  burst: msg`Burst`,
  min: msg`Minute`,
  hour: msg`Hour`,
  day: msg`Day`,
  month: msg`Month`,
  conc: msg`Concurrent`,
} as const
