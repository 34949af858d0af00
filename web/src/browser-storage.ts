type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** The browser's storage, or memory where it is blocked: then the page works, but loses the data when it is closed. */
export function openStorage(open: () => Storage): BrowserStorage {
  try {
    const storage = open()
    storage.getItem('tapeline-theme')
    return storage
  } catch {
    const entries = new Map<string, string>()
    return {
      getItem: (name) => entries.get(name) ?? null,
      setItem: (name, value) => void entries.set(name, value),
      removeItem: (name) => void entries.delete(name),
      clear: () => entries.clear(),
    }
  }
}
