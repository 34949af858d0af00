import { openStorage } from '../browser-storage.ts'
import { copyText } from '../ui/copy-text.ts'

const CODE_LANGUAGE = 'tapeline-code'
const CONFIRMED_MS = 2_000
const DEFAULT_API = 'http://localhost:3001'

/** Copy buttons, the language of the samples, and this platform's URL in them. */
export function start(root: HTMLElement): void {
  const storage = openStorage(() => localStorage)
  insertPlatformUrl(root)
  showChosen(root, storage.getItem(CODE_LANGUAGE) ?? 'curl')
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    const chosen = target.closest<HTMLElement>('[data-choose]')?.dataset['choose']
    if (chosen !== undefined) choose(root, storage, chosen, target)
    const button = target.closest<HTMLElement>('[data-copy]')
    if (button !== null) void copy(root, button)
  })
}

/** Keeps the pressed tab at its position on the screen when content above it changes its height. */
function choose(root: HTMLElement, storage: Pick<Storage, 'setItem'>, chosen: string, tab: Element): void {
  const before = tab.getBoundingClientRect().top
  storage.setItem(CODE_LANGUAGE, chosen)
  showChosen(root, chosen)
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

function showChosen(root: HTMLElement, chosen: string): void {
  document.documentElement.dataset['code'] = chosen
  for (const tabs of root.querySelectorAll('.code-tabs')) {
    const buttons = [...tabs.querySelectorAll<HTMLElement>('[data-choose]')]
    const here = buttons.some((button) => button.dataset['choose'] === chosen) ? chosen : buttons[0]?.dataset['choose']
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset['choose'] === here))
  }
}

async function copy(root: HTMLElement, button: HTMLElement): Promise<void> {
  const shown = [...(button.closest('.sample')?.querySelectorAll<HTMLElement>('pre') ?? [])]
  const code = shown.find((pre) => pre.checkVisibility())?.textContent ?? ''
  if (!(await copyText(code))) return
  const label = button.getAttribute('aria-label') ?? ''
  button.classList.add('is-copied')
  button.setAttribute('aria-label', root.dataset['copied'] ?? label)
  setTimeout(() => {
    button.classList.remove('is-copied')
    button.setAttribute('aria-label', label)
  }, CONFIRMED_MS)
}

/** Readers paste the samples, so they contain the URL of this platform. */
function insertPlatformUrl(root: HTMLElement): void {
  const configured = document.querySelector<HTMLMetaElement>('meta[name="tapeline-api"]')?.content ?? ''
  const address = configured === '/' || configured === '' ? location.origin : configured
  for (const code of root.querySelectorAll('.shell code')) {
    for (const node of [...code.childNodes].flatMap((child) => [child, ...child.childNodes])) {
      if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.includes(DEFAULT_API) === true) {
        node.nodeValue = node.nodeValue.replace(DEFAULT_API, address)
      }
    }
  }
}
