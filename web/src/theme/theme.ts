import { createObservable } from '../observable.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const NAME = 'tapeline-theme'
export const DEFAULT_THEME: Theme = 'dark'

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

/** The choice is set on the root element; CSS applies the colors, and "system" follows the operating system. */
export function createThemeStore({ root, storage }: ThemeDeps) {
  const theme = createObservable(parseTheme(storage.getItem(NAME)))
  root.dataset['theme'] = theme.get()

  function show(next: Theme): void {
    root.dataset['theme'] = next
    theme.set(next)
  }

  return {
    get: theme.get,
    subscribe: theme.subscribe,
    choose: (next: Theme): void => {
      storage.setItem(NAME, next)
      show(next)
    },
    /** Another tab changed the theme; a null key means that the whole storage was cleared. */
    followStorage: (name: string | null): void => {
      if (name === null || name === NAME) show(parseTheme(storage.getItem(NAME)))
    },
  }
}
