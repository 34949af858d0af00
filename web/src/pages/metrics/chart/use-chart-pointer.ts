import { type PointerEvent, type RefObject, useState } from 'react'
import type { ChartRange } from './chart-range.ts'

type ChartPointer = {
  /** The plot, which is as wide as all buckets together. */
  plot: RefObject<HTMLElement | null>
  count: number
  onPick: (n: number) => void
  onOpen: (n: number) => void
  onZoom: (range: ChartRange) => void
}

/** Moving picks a bucket, a click opens it, a drag chooses a range; a finger picks first, because it cannot hover. */
export function useChartPointer({ plot, count, onPick, onOpen, onZoom }: ChartPointer) {
  const [drag, setDrag] = useState<{ pressed: number; at: number }>()

  function bucketAt({ clientX }: PointerEvent): number | undefined {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined || clientX < box.left || clientX > box.right || count === 0) return undefined
    return Math.min(count - 1, Math.floor(((clientX - box.left) / box.width) * count))
  }

  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const n = event.button === 0 ? bucketAt(event) : undefined
      if (n !== undefined) setDrag({ pressed: n, at: n })
    },
    onPointerMove: (event: PointerEvent) => {
      const n = bucketAt(event)
      if (n === undefined) return
      onPick(n)
      if (drag !== undefined) setDrag({ ...drag, at: n })
    },
    onPointerUp: (event: PointerEvent) => {
      if (drag === undefined) return
      setDrag(undefined)
      const { pressed, at } = drag
      if (pressed !== at) onZoom(rangeOf(drag))
      else if (event.pointerType === 'touch') onPick(at)
      else onOpen(at)
    },
    onPointerCancel: () => setDrag(undefined),
    onPointerLeave: () => setDrag(undefined),
  }
  return { handlers, dragged: drag === undefined || drag.pressed === drag.at ? undefined : rangeOf(drag) }
}

function rangeOf({ pressed, at }: { pressed: number; at: number }): ChartRange {
  return { first: Math.min(pressed, at), end: Math.max(pressed, at) + 1 }
}
