const consumers = new Map<string, () => number>()

/** Of the consumers of this process, by group: messages that Kafka has and that are not applied yet. */
export function lagByGroup(): ReadonlyMap<string, number> {
  return new Map([...consumers].map(([group, lag]) => [group, lag()]))
}

/** From the start of a consumer to its end, which is what is handed back. */
export function tellLag(group: string, lag: () => number): () => void {
  consumers.set(group, lag)
  return () => {
    if (consumers.get(group) === lag) consumers.delete(group)
  }
}
