import { useSyncExternalStore } from 'react'
import { openStorage } from '../browser-storage.ts'
import { createThemeStore, DEFAULT_THEME, type Theme } from './theme.ts'

/** The theme of this browser. */
export const themeStore = createThemeStore({
  root: document.documentElement,
  storage: openStorage(() => localStorage),
})

window.addEventListener('storage', (event) => themeStore.followStorage(event.key))

export function useTheme(): Theme {
  return useSyncExternalStore(themeStore.subscribe, themeStore.get, () => DEFAULT_THEME)
}
