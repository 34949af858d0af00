const consumers = new Map<string, () => number>()

/** Unapplied messages per consumer group of this process. */
export function lagByGroup(): ReadonlyMap<string, number> {
  return new Map([...consumers].map(([group, lag]) => [group, lag()]))
}

/**
 * Registers a consumer's lag.
 * @returns a function that removes the registration
 */
export function registerLag(group: string, lag: () => number): () => void {
  consumers.set(group, lag)
  return () => {
    if (consumers.get(group) === lag) consumers.delete(group)
  }
}
