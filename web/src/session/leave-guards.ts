/** Asks the user before unsaved input is lost, and calls back if the user agrees. */
type LeaveGuard = (leave: () => void) => void

const guards = new Set<LeaveGuard>()

/** Returns how to remove the guard. */
export function addLeaveGuard(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Leaves at once, or after the user agrees to lose unsaved input. */
export function leaveIfAllowed(leave: () => void): void {
  const [guard] = guards
  if (guard === undefined) leave()
  else guard(leave)
}
