import type { Page } from '@tapeline/testing/browser'

const PRESSES_AT_ONCE = 10
/** A date field has one stop per part. */
const PRESSES_PER_STOP_MAX = 4
/** Maximum number of stops, because the API reference has a thousand similar ones. */
const STOPS_MAX = 150

/** Faults of the tab order; none if Tab reaches every element once, in order, with visible focus. */
export async function walkByTab(page: Page): Promise<string[]> {
  await page.evaluate(`void (window.tapelineWalk = (${WALK})(${STOPS_MAX}))`)
  const pressesMax = PRESSES_AT_ONCE + PRESSES_PER_STOP_MAX * (await page.evaluate<number>('window.tapelineWalk.stops'))
  for (let presses = 0; presses < pressesMax; presses += PRESSES_AT_ONCE) {
    for (let n = 0; n < PRESSES_AT_ONCE; n += 1) await page.keyboard.press('Tab')
    if (await page.evaluate<boolean>('window.tapelineWalk.hasEnded()')) break
  }
  return page.evaluate<string[]>('window.tapelineWalk.findings()')
}

/** Runs in the page: follows the focus until it is back at its start, then reports the result. */
const WALK = `(stopsMax) => {
  const name = (element) => element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40) ?? '') + (element.id ? '#' + element.id : '') + (element.name ? '[' + element.name + ']' : '')
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null
  const isChosen = (element) => element.type !== 'radio' || element.checked || ![...document.getElementsByName(element.name)].some((other) => other.checked)
  const candidates = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const expected = [...document.querySelectorAll(candidates)].filter((element) => element.tabIndex >= 0 && !element.disabled && isShown(element) && isChosen(element))
  const groups = new Set()
  const all = expected.filter((element) => {
    if (element.type !== 'radio' || element.checked) return true
    const isFirst = !groups.has(element.name)
    groups.add(element.name)
    return isFirst
  })
  const stops = all.slice(0, stopsMax)

  const visited = []
  const found = []
  let over = false
  const focused = new Map()
  // Elements that may show the focus: the element itself, its label, its surroundings.
  const around = (element) => [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling, element.closest('label'), element.closest('.segmented, .searchbox, .check, tr')].filter(Boolean)
  const look = (element) => around(element).map((one) => {
    const of = (pseudo) => { const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, color, textDecorationLine } = getComputedStyle(one, pseudo); return [outlineStyle === 'none' ? '' : outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor, color, textDecorationLine].join() }
    return of() + of('::before') + of('::after')
  }).join(';')
  const isCovered = (element) => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
    if (width < 4 || height < 4) return false
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3], [right - 3, bottom - 3], [left + 3, bottom - 3], [right - 3, top + 3]]
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return hit === null || !(element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
    })
  }
  addEventListener('keydown', ({ key }) => {
    const element = document.activeElement
    if (key !== 'Tab' || over || element === null || element === document.body) return
    if (isCovered(element)) found.push('something covers ' + name(element))
    focused.set(element, look(element))
  }, true)
  addEventListener('focusin', ({ target }) => {
    if (over) return
    if (target === visited[0] || visited.length > stopsMax) over = true
    else if (target !== visited.at(-1)) visited.push(target)
  }, true)
  addEventListener('focusout', ({ relatedTarget }) => {
    // After the last stop the focus leaves the page.
    if (relatedTarget === null && visited.length > 0) over = true
  }, true)
  document.activeElement?.blur?.()
  getSelection()?.removeAllRanges()

  return {
    stops: stops.length,
    hasEnded: () => over,
    findings: () => {
      if (!over) found.push('Tab does not come to an end after ' + visited.length + ' stops; the last is ' + name(visited.at(-1) ?? document.body))
      over = true
      document.activeElement?.blur?.()
      for (const [element, seen] of focused) if (element.isConnected && look(element) === seen) found.push('the focus is not seen at ' + name(element))
      // Some browsers make scrollable elements focusable.
      const came = visited.filter((element) => stops.includes(element))
      for (const stop of stops) if (!came.includes(stop)) found.push('Tab never comes to ' + name(stop))
      came.forEach((element, n) => {
        const next = came[n + 1]
        if (next !== undefined && !(element.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING)) found.push('Tab goes back from ' + name(element) + ' to ' + name(next))
      })
      return found
    },
  }
}`
