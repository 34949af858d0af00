/** The narrow menu is a `<details>`: the browser opens it; this closes it as other menus close. Returns a function that removes the listeners. */
export function startMenu(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const menu = document.querySelector<HTMLDetailsElement>('.site-menu')
  if (menu === null) return () => undefined
  const closeOutside = ({ target }: MouseEvent): void => {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  document.addEventListener('click', closeOutside, { signal })
  menu.addEventListener('keydown', closeOnEscape, { signal })
  return () => listening.abort()
}
