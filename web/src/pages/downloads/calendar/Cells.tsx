import { type PointerEvent, useState } from 'react'
import type { CoverageDay, CoverageLine } from './coverage-days.ts'
import { dayWords, lineSentence } from './coverage-words.ts'

type ChosenDays = { from: string; to: string }
type Props = {
  line: CoverageLine
  /** Undefined where another line is chosen. */
  selected: ChosenDays | undefined
  onChoose: (days: ChosenDays) => void
}

/** Fewer pixels per day than a margin needs. */
const DENSE_DAYS = 120

/** The days of a line. A click chooses one, dragging several; the two date fields of the page do the same by keyboard. */
export function Cells({ line, selected, onChoose }: Props) {
  const [drag, setDrag] = useState<{ pressed: number; at: number }>()
  const { days } = line
  const dayAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(days.length - 1, Math.floor(((clientX - left) / width) * days.length)))
  }
  const dragged = drag && spanOf(days, drag)
  const shown = dragged ?? selected
  return (
    <div
      className={days.length > DENSE_DAYS ? 'cells dense' : 'cells'}
      role="img"
      aria-label={lineSentence(line)}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.pointerType === 'touch') return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ pressed: dayAt(event), at: dayAt(event) })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, at: dayAt(event) })}
      onPointerUp={(event) => {
        const chosen = dragged ?? spanOf(days, { pressed: dayAt(event), at: dayAt(event) })
        setDrag(undefined)
        if (chosen !== undefined) onChoose(chosen)
      }}
      onPointerCancel={() => setDrag(undefined)}
    >
      {days.map((day) => (
        <i
          key={day.date}
          className={classOf(day, shown !== undefined && day.date >= shown.from && day.date <= shown.to)}
          title={dayWords(day)}
        />
      ))}
    </div>
  )
}

function classOf({ state, gaps }: CoverageDay, isIn: boolean): string {
  return [`day-${state}`, gaps.length > 0 ? 'gap' : '', isIn ? 'chosen' : ''].filter(Boolean).join(' ')
}

function spanOf(
  days: readonly CoverageDay[],
  { pressed, at }: { pressed: number; at: number },
): ChosenDays | undefined {
  const from = days[Math.min(pressed, at)]?.date
  const to = days[Math.max(pressed, at)]?.date
  return from === undefined || to === undefined ? undefined : { from, to }
}
