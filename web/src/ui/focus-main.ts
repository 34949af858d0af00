/** Moves the focus to the content of the page, where reading and tabbing continue. */
export function focusMain(): void {
  const main = document.getElementById('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus({ preventScroll: true })
}
