import { openStorage } from '../browser-storage.ts'
import { createThemeStore, nextTheme, type Theme } from '../theme/theme.ts'

export function startThemeButton(): void {
  const button = document.querySelector<HTMLElement>('.theme-button')
  if (button === null) return
  const theme = createThemeStore({ root: document.documentElement, storage: openStorage(() => localStorage) })
  const words: Partial<Record<Theme, string>> = JSON.parse(button.dataset['words'] ?? '{}')
  const show = (): void => button.setAttribute('aria-label', words[theme.get()] ?? theme.get())
  show()
  theme.subscribe(show)
  button.addEventListener('click', () => theme.choose(nextTheme(theme.get())))
  window.addEventListener('storage', ({ key }) => theme.followStorage(key))
}
