/** An operation with a deadline: an element of the list of its duration. */
export type Timed = { deadlineMs: number; earlier: Timed | undefined; later: Timed | undefined; onDeadline: () => void }

const CHECK_EVERY_MS = 50

/**
 * One list per duration, so the first element always ends first: adding and removing take constant time, and one timer serves all
 * while there are any.
 */
export class Deadlines {
  private readonly lists = new Map<number, { first: Timed | undefined; last: Timed | undefined }>()
  private timer: NodeJS.Timeout | undefined

  add(timed: Timed, timeoutMs: number): void {
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS).unref()
    let list = this.lists.get(timeoutMs)
    if (list === undefined) this.lists.set(timeoutMs, (list = { first: undefined, last: undefined }))
    timed.deadlineMs = performance.now() + timeoutMs
    timed.earlier = list.last
    timed.later = undefined
    if (list.last === undefined) list.first = timed
    else list.last.later = timed
    list.last = timed
  }

  remove(timed: Timed, timeoutMs: number): void {
    const list = this.lists.get(timeoutMs)
    if (list === undefined || (timed.earlier === undefined && list.first !== timed)) return
    if (timed.earlier === undefined) list.first = timed.later
    else timed.earlier.later = timed.later
    if (timed.later === undefined) list.last = timed.earlier
    else timed.later.earlier = timed.earlier
    timed.earlier = undefined
    timed.later = undefined
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private check(): void {
    const nowMs = performance.now()
    let isWaiting = false
    for (const [timeoutMs, list] of this.lists) {
      while (list.first !== undefined && list.first.deadlineMs <= nowMs) {
        const late = list.first
        this.remove(late, timeoutMs)
        late.onDeadline()
      }
      isWaiting ||= list.first !== undefined
    }
    if (!isWaiting) this.stop()
  }
}
