import { startMenu } from '../layouts/start-menu.ts'
import { openStorage } from '../browser-storage.ts'
import { createThemeStore, nextTheme, type Theme } from '../theme/theme.ts'

type Island = { start: (root: HTMLElement) => void }

const islands = import.meta.glob<Island>('../islands/*.ts')

// What every public page runs. No React: a page stays readable without any of it.
startThemeButton()
startMenu()
startIslands()

/** Starts the islands of this page; an island that fails to load stays as rendered. */
function startIslands(): void {
  for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const load = islands[`../islands/${root.dataset['island'] ?? ''}.ts`]
    void load?.().then(
      ({ start }) => start(root),
      () => undefined,
    )
  }
}

function startThemeButton(): void {
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
