import { useSyncExternalStore } from 'react'
import { openStorage } from '../browser-storage.ts'
import { createThemeStore, type Theme } from './theme.ts'

const themeStore = createThemeStore({
  root: document.documentElement,
  storage: openStorage(() => localStorage),
})

window.addEventListener('storage', (event) => themeStore.followStorage(event.key))

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(themeStore.subscribe, themeStore.get), themeStore.choose]
}
