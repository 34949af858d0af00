type Entry<T> = { value: Promise<T>; bytes: number }

export type ByteCache<T> = {
  /** The value of a key; concurrent callers of an absent one share one load. Failed loads are not kept. */
  get: (key: string, load: () => Promise<T>) => Promise<T>
}

/** Keeps the most recently used values up to a number of bytes. */
export function createByteCache<T>(bytesMax: number, sizeOf: (value: T) => number): ByteCache<T> {
  const entries = new Map<string, Entry<T>>()
  let bytes = 0

  function remove(key: string, entry: Entry<T>): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    bytes -= entry.bytes
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (bytes <= bytesMax) return
      remove(key, entry)
    }
  }

  return {
    get(key, load) {
      const found = entries.get(key)
      if (found !== undefined) {
        entries.delete(key)
        entries.set(key, found)
        return found.value
      }
      const entry: Entry<T> = { value: load(), bytes: 0 }
      entries.set(key, entry)
      entry.value.then(
        (value) => {
          if (entries.get(key) !== entry) return
          entry.bytes = sizeOf(value)
          bytes += entry.bytes
          evict()
        },
        () => remove(key, entry),
      )
      return entry.value
    },
  }
}
