export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const NAME = 'tapeline-theme'
const DEFAULT_THEME: Theme = 'dark'

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? DEFAULT_THEME
}

export function parseTheme(value: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? DEFAULT_THEME
}

type ThemeDeps = {
  root: { dataset: DOMStringMap }
  storage: Pick<Storage, 'getItem' | 'setItem'>
}

export type ThemeStore = ReturnType<typeof createThemeStore>

/** What is chosen stands on the root element; the colours follow in CSS, "system" live with the operating system. */
export function createThemeStore({ root, storage }: ThemeDeps) {
  const listeners = new Set<() => void>()
  let theme = parseTheme(storage.getItem(NAME))
  root.dataset['theme'] = theme

  function show(next: Theme): void {
    theme = next
    root.dataset['theme'] = next
    for (const listener of listeners) listener()
  }

  return {
    get: () => theme,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose(next: Theme): void {
      storage.setItem(NAME, next)
      show(next)
    },
    /** Another tab chose; null is everything at once. */
    followStorage(name: string | null): void {
      if (name === null || name === NAME) show(parseTheme(storage.getItem(NAME)))
    },
  }
}
