import type { Range } from '../rollups/read-plan.ts'
import { type Level, LEVEL_MS } from '../rollups/roll-up.ts'

/** A range in which a zone's offset from UTC is `offsetMs`, and the longest roll-up that aligns with its hours. */
export type TimeZoneSegment = Range & { offsetMs: number; level: Level }

const NS_PER_MS = 1_000_000

/** Splits a range (ms) at the clock changes of a time zone, so that each segment has one offset from UTC. */
export function timeZoneSegments({ fromMs, toMs }: Range, timeZone: string): TimeZoneSegment[] {
  const stretches: TimeZoneSegment[] = []
  let start = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone)
  while (start.epochMilliseconds < toMs) {
    const next = start.getTimeZoneTransition('next')
    const offsetMs = start.offsetNanoseconds / NS_PER_MS
    const endMs = Math.min(next?.epochMilliseconds ?? toMs, toMs)
    stretches.push({ fromMs: start.epochMilliseconds, toMs: endMs, offsetMs, level: longestLevel(offsetMs) })
    if (next === null) break
    start = next
  }
  return stretches
}

function longestLevel(offsetMs: number): Level {
  if (offsetMs % LEVEL_MS.hour === 0) return 'hour'
  return offsetMs % LEVEL_MS.quarter_hour === 0 ? 'quarter_hour' : 'minute'
}
