import type { CSSProperties } from 'react'

/** Below the line: dashed, thin, twice as wide, or plain (a sell). */
export type TapeKind = 'throttled' | 'client' | 'server' | 'sell'

export type TapeSlot = {
  /** A stable key, so that a new entry slides in and the others move. */
  key?: string
  /** Height above the line, 0 to 1: served, or bought. */
  up?: number
  /** Depth below the line, 0 to 1: rejected, failed, or sold. */
  down?: number
  kind?: TapeKind
  isPlaceholder?: boolean
  isNew?: boolean
  /** Hollow: the time of the slot is not over, or only a part of it is in the range. */
  isPartial?: boolean
}

type TapeProps = {
  /** A description of the strip; a table shows the same data. */
  label: string
  slots: readonly TapeSlot[]
  /** Where the amber edge is: right where a time axis is shared, none for closed ranges. */
  now?: 'left' | 'right' | 'none'
  /** Gray instead of amber edge: the key or endpoint is not active. */
  isOff?: boolean
  heightPx?: number
  className?: string
}

export function Tape({ label, slots, now = 'left', isOff = false, heightPx, className = '' }: TapeProps) {
  return (
    <div
      className={`tape ${isOff ? 'is-off' : ''} ${className}`}
      role="img"
      aria-label={label}
      data-now={now === 'left' ? undefined : now}
      style={{ height: heightPx }}
    >
      {slots.map((slot, index) => (
        <i key={slot.key ?? index} className={slotClass(slot)} style={slotStyle(slot)} />
      ))}
    </div>
  )
}

/** A tape that shows what a page will look like once it has data. */
export function placeholderSlots(count: number): TapeSlot[] {
  return Array.from({ length: count }, (_, index) => ({
    up: 0.45 + 0.25 * Math.sin((index / count) * Math.PI * 3) ** 2,
    isPlaceholder: true,
  }))
}

function slotClass({ kind, isPlaceholder, isNew, isPartial }: TapeSlot): string | undefined {
  const names = [
    kind === 'sell' ? 'sell-tick' : kind,
    isPlaceholder && 'placeholder',
    isNew && 'new',
    isPartial && 'part',
  ]
  return names.filter(Boolean).join(' ') || undefined
}

function slotStyle({ up, down }: TapeSlot): CSSProperties {
  return { '--u': up, '--d': down } as CSSProperties
}
