import type { Locator, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'

/** Position of an element on the page, in CSS pixels. */
export async function edgesOf(element: Locator): Promise<{ left: number; right: number; top: number; width: number }> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return { left: box.x, right: box.x + box.width, top: box.y, width: box.width }
}

/** Waits until the page is not wider than this, in CSS pixels: what measures itself is redrawn after a change of size. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  const isWithin = async () => (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width
  await waitUntil(`the page is within ${width} px`, isWithin)
}
