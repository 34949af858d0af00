type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** The browser's storage, or memory where it is blocked: then the page works, but loses the data when it is closed. */
export function openStorage(open: () => Storage): Keep {
  try {
    const storage = open()
    storage.getItem('tapeline-theme')
    return storage
  } catch {
    const kept = new Map<string, string>()
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
      clear: () => kept.clear(),
    }
  }
}
