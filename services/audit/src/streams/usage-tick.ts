import { UsageTick } from '@tapeline/contracts/audit/events-stream'
import { Value } from 'typebox/value'
import type { LiveUsage } from './stream-queries.ts'

/** Converts a row to a live usage event. */
export function usageTick({ windows, windows_at, minute_at, total, failed, denied }: LiveUsage): UsageTick {
  const minute = { from: minute_at.toISOString(), total: Number(total), failed: Number(failed), denied: Number(denied) }
  return Value.Parse(UsageTick, { at: windows_at.toISOString(), windows, minute })
}
