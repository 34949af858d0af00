import { copyText } from '../ui/copy-text.ts'

const CONFIRMED_MS = 2_000

/** A button that copies the value of `data-copy`, or the text of the element that `data-copy-from` names. */
export function start(button: HTMLElement): void {
  const { copy, copyFrom, copied = '' } = button.dataset
  const announcement = button.nextElementSibling
  let timer = 0
  button.addEventListener('click', () => {
    const text = copy ?? document.getElementById(copyFrom ?? '')?.textContent ?? ''
    void copyText(text).then((isCopied) => {
      if (!isCopied) return
      button.classList.add('is-copied')
      if (announcement !== null) announcement.textContent = copied
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        button.classList.remove('is-copied')
        if (announcement !== null) announcement.textContent = ''
      }, CONFIRMED_MS)
    })
  })
}
