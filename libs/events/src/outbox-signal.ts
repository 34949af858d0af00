const listeners = new Set<() => void>()

/** Called by every insert into an outbox of this process; its transaction may still be open. */
export function signalOutbox(): void {
  for (const listener of listeners) listener()
}

/** The relays of this process; what another process wrote they find by polling. Returns what ends it. */
export function onOutboxSignal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
