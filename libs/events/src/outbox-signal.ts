const listeners = new Set<() => void>()

/** Called by every insert into an outbox of this process; its transaction may still be open. */
export function signalOutbox(): void {
  for (const listener of listeners) listener()
}

/** Whether a relay of this process is called by `signalOutbox`. */
export function hasOwnRelay(): boolean {
  return listeners.size > 0
}

/** Adds a listener of this process and returns its removal; inserts of other processes are announced in PostgreSQL. */
export function onOutboxSignal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
