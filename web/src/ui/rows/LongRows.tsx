import { memo, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { GROUP_ROWS, nextSpan, type Span } from './near-rows.ts'

const ROW_HEIGHT_PX = 34
const NOTHING = '\u00A0'
/** Rows shown before measuring: enough to fill a window. */
const FIRST_GROUPS = 6

type DrawRows = (first: number, end: number) => ReactNode
type LongRowsProps = { count: number; columns: number; children: DrawRows }

/** Renders the rows of a long table near the viewport, and placeholders with the height of the others. */
export function LongRows({ count, columns, children }: LongRowsProps) {
  const above = useRef<HTMLTableSectionElement>(null)
  const span = useNearRows(above, count)
  const groups = Array.from({ length: span.to - span.from }, (_, n) => span.from + n)
  return (
    <>
      <tbody ref={above}>{span.abovePx > 0 && <Gap columns={columns} heightPx={span.abovePx} />}</tbody>
      {groups.map((group) => (
        <Group key={group} first={group * GROUP_ROWS} end={Math.min(count, (group + 1) * GROUP_ROWS)} draw={children} />
      ))}
      <tbody>{span.belowPx > 0 && <Gap columns={columns} heightPx={span.belowPx} />}</tbody>
    </>
  )
}

const Group = memo(function Group({ first, end, draw }: { first: number; end: number; draw: DrawRows }) {
  return <tbody>{draw(first, end)}</tbody>
})

function Gap({ columns, heightPx }: { columns: number; heightPx: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }}>
        {NOTHING}
      </td>
    </tr>
  )
}

/** `above`: the table section before the first rendered row. */
function useNearRows(above: { current: HTMLTableSectionElement | null }, count: number): Span {
  const heights = useRef(new Map<number, number>())
  const [span, setSpan] = useState(() => firstSpan(count))
  useEffect(() => {
    let frame = 0
    const update = (): void => {
      frame = 0
      const table = above.current?.parentElement
      if (!(table instanceof HTMLTableElement)) return
      for (const [n, body] of [...table.tBodies].slice(1, -1).entries()) {
        heights.current.set(span.from + n, body.getBoundingClientRect().height)
      }
      const next = nextSpan(span, {
        groups: Math.ceil(count / GROUP_ROWS),
        heightPx: (group) => heights.current.get(group) ?? heightPx(group, count),
        topPx: above.current?.getBoundingClientRect().top ?? 0,
        windowPx: innerHeight,
      })
      if (next !== span) startTransition(() => setSpan(next))
    }
    const scheduleUpdate = (): void => void (frame ||= requestAnimationFrame(update))
    document.addEventListener('scroll', scheduleUpdate, { capture: true, passive: true })
    addEventListener('resize', scheduleUpdate)
    scheduleUpdate()
    return () => {
      document.removeEventListener('scroll', scheduleUpdate, { capture: true })
      removeEventListener('resize', scheduleUpdate)
      cancelAnimationFrame(frame)
    }
  }, [above, count, span])
  return span
}

function firstSpan(count: number): Span {
  const groups = Math.ceil(count / GROUP_ROWS)
  const to = Math.min(groups, FIRST_GROUPS)
  return { from: 0, to, abovePx: 0, belowPx: Math.max(0, count - to * GROUP_ROWS) * ROW_HEIGHT_PX }
}

/** The last group may be smaller. */
function heightPx(group: number, count: number): number {
  return Math.min(GROUP_ROWS, count - group * GROUP_ROWS) * ROW_HEIGHT_PX
}
