/** Number of rows that are rendered together. */
export const GROUP_ROWS = 5

/** The rendered groups (`to` is exclusive), and the heights of all others. */
export type Span = { from: number; to: number; abovePx: number; belowPx: number }
export type ScrollView = {
  groups: number
  heightPx: (group: number) => number
  /** Position of the first group below the upper edge of the window. */
  topPx: number
  windowPx: number
}
type Range = Pick<Span, 'from' | 'to'>

/** Distance above and below the viewport within which groups are rendered. */
const NEAR_PX = 400

/**
 * The next rows to render after `now`: one group more above and below, so that no frame is delayed; `now` itself when
 * complete.
 */
export function nextSpan(now: Span, view: ScrollView): Span {
  const near = within(view, NEAR_PX)
  const visible = within(view, 0)
  const { from, to } = isDisjoint(now, visible) ? firstOf(visible) : grown(now, near)
  if (from === now.from && to === now.to) return now
  return { from, to, abovePx: heightOf(view, 0, from), belowPx: heightOf(view, to, view.groups) }
}

function firstOf({ from, to }: Range): Range {
  return { from, to: Math.min(from + 1, to) }
}

function grown(now: Range, near: Range): Range {
  return { from: Math.max(near.from, now.from - 1), to: Math.min(near.to, now.to + 1) }
}

function within({ groups, heightPx, topPx, windowPx }: ScrollView, marginPx: number): Range {
  let top = topPx
  let from = 0
  for (; from < groups && top + heightPx(from) <= -marginPx; from += 1) top += heightPx(from)
  let to = from
  for (; to < groups && top < windowPx + marginPx; to += 1) top += heightPx(to)
  return { from, to }
}

function isDisjoint(one: Range, other: Range): boolean {
  return one.to <= other.from || other.to <= one.from
}

function heightOf({ heightPx }: ScrollView, from: number, to: number): number {
  let sum = 0
  for (let group = from; group < to; group += 1) sum += heightPx(group)
  return sum
}
