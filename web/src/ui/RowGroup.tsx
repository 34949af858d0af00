import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'

/** Rows that are drawn together when they come near. */
export const GROUP_ROWS = 20
const ROW_HEIGHT_PX = 34
const NOTHING = '\u00A0'
/** Ahead of the eye, above and below. */
const NEAR = '800px 0px'

type RowGroupProps = { rows: number; columns: number; isFirst: boolean; children: () => ReactNode }

/** A part of a long table: its rows while they are near, their height while they are not. */
export function RowGroup({ rows, columns, isFirst, children }: RowGroupProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [isNear, setNear] = useState(isFirst)
  const [heightPx, setHeightPx] = useState(rows * ROW_HEIGHT_PX)
  useEffect(() => {
    const element = body.current
    if (element === null) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return
        // What was drawn is as high as it was, so that nothing moves when it goes.
        if (!entry.isIntersecting && entry.boundingClientRect.height > 0) setHeightPx(entry.boundingClientRect.height)
        // A few rows at a time, so that scrolling goes on meanwhile.
        startTransition(() => setNear(entry.isIntersecting))
      },
      { rootMargin: NEAR },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return (
    <tbody ref={body}>
      {isNear ? (
        children()
      ) : (
        <tr aria-hidden="true">
          <td colSpan={columns} style={{ height: heightPx, padding: 0 }}>
            {NOTHING}
          </td>
        </tr>
      )}
    </tbody>
  )
}
