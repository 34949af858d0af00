import { make } from '../parts/dom.ts'

/** One tab stop; arrows, Home and End move and select. */
export function createTabs(bar: HTMLElement, label: string, choose: (id: string) => void) {
  const list = make('div', { class: 'tabs', role: 'tablist', 'aria-label': label })
  const panel = bar.nextElementSibling
  bar.prepend(list)

  function select(id: string): void {
    for (const tab of list.children) {
      const isSelected = tab.textContent === id
      tab.setAttribute('aria-selected', String(isSelected))
      tab.setAttribute('tabindex', isSelected ? '0' : '-1')
      if (isSelected) panel?.setAttribute('aria-labelledby', tab.id)
    }
  }

  function onKey(event: KeyboardEvent, here: number): void {
    const count = list.children.length
    const step = { ArrowRight: here + 1, ArrowLeft: here - 1 + count, Home: 0, End: count - 1 }[event.key]
    const target = step === undefined ? undefined : list.children[step % count]
    if (!(target instanceof HTMLElement)) return
    event.preventDefault()
    target.click()
    target.focus()
  }

  return {
    fill: (ids: readonly string[]): void => {
      panel?.setAttribute('role', 'tabpanel')
      panel?.setAttribute('id', 'feed-panel')
      list.replaceChildren(
        ...ids.map((id, index) => {
          const tab = make(
            'button',
            { type: 'button', role: 'tab', id: `feed-tab-${index}`, 'aria-controls': 'feed-panel' },
            id,
          )
          tab.addEventListener('click', () => {
            select(id)
            choose(id)
          })
          tab.addEventListener('keydown', (event) => onKey(event, index))
          return tab
        }),
      )
      const [first] = ids
      if (first !== undefined) select(first)
    },
  }
}
