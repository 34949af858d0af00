import type { Page } from '@tapeline/testing/browser'

/** Texts that overflow their box or the page's edge, except where they scroll or are truncated on purpose. */
export function longTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${FIND})()`)
}

/** Runs in the page. */
const FIND = `() => {
  const edge = document.documentElement.clientWidth + 1
  const isMeant = (element) => element.closest('.sr-only, .skip, .clip, .scroll-x, .tabs, .tape, .trade-lanes, pre, svg, select, [aria-hidden=true]') !== null || getComputedStyle(element).clipPath === 'inset(50%)'
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    const isSeen = element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    if (!hasText || !isSeen || isMeant(element)) return []
    const { width, right } = element.getBoundingClientRect()
    if (width === 0) return []
    const isWider = getComputedStyle(element).display !== 'inline' && element.scrollWidth > element.clientWidth + 1
    return isWider || right > edge ? [element.tagName + ' ' + element.textContent.trim().slice(0, 60)] : []
  })
}`
