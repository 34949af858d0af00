import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import { formatClock } from '../../../format/date.ts'
import { Tape, type TapeSlot } from '../../../ui/Tape.tsx'
import { placeOnDay } from './day-slots.ts'

const SECOND_MS = 1_000
const DAY_S = 86_400
const SETTLE_MS = 150
const HOURS = [0, 4, 8, 12, 16, 20, 24]

type Props = {
  dayMs: number
  atMs: number
  slots: readonly TapeSlot[]
  gaps: readonly BookGap[]
  onTravel: (ms: number) => void
}

/** A UTC day from midnight to midnight: activity, gaps and the moment that is shown. Arrows move by a second. */
export function DaySlider({ dayMs, atMs, slots, gaps, onTravel }: Props) {
  const [movedTo, setMovedTo] = useState<number>()
  useEffect(() => {
    if (movedTo === undefined) return
    const timer = setTimeout(() => {
      onTravel(movedTo)
      setMovedTo(undefined)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [movedTo, onTravel])
  const shownMs = movedTo ?? atMs
  const second = Math.floor((shownMs - dayMs) / SECOND_MS)
  const left = `${((second / DAY_S) * 100).toFixed(3)}%`
  return (
    <div className="day">
      <div aria-hidden="true">
        <Tape label="" slots={slots} now="none" />
        <span className="future" style={{ left }} />
        {gaps.map((gap) => {
          const place = placeOnDay(gap, dayMs)
          return (
            place && (
              <span
                key={gap.to}
                className="hole"
                style={{ left: `${place.left.toFixed(3)}%`, width: `${place.width.toFixed(3)}%` }}
              />
            )
          )
        })}
        <span className="marker" style={{ left }} />
        {HOURS.map((hour) => (
          <span key={hour} className={`hour-label hour-${hour}`} style={{ left: `${((hour / 24) * 100).toFixed(2)}%` }}>
            {String(hour).padStart(2, '0')}:00
          </span>
        ))}
      </div>
      <input
        type="range"
        min={0}
        max={DAY_S - 1}
        step={1}
        value={second}
        aria-label={t`Time of day, UTC`}
        aria-valuetext={formatClock(shownMs)}
        onChange={({ currentTarget }) => setMovedTo(dayMs + Number(currentTarget.value) * SECOND_MS)}
      />
    </div>
  )
}
