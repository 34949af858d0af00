/** The narrow menu is a `<details>`: it opens by itself, and closes like other menus do. */
export function startMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.site-menu')
  if (menu === null) return
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
}
