/** Runs tasks one after the other; a failed task does not stop the next. */
export type EnqueueTask = <T>(work: () => Promise<T>) => Promise<T>

export function createTaskQueue(): EnqueueTask {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}
