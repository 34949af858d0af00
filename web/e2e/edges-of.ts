import type { Locator, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'

type Edges = { left: number; right: number; top: number; width: number }

/** Position of an element on the page, in CSS pixels. */
export async function edgesOf(element: Locator): Promise<Edges> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return { left: box.x, right: box.x + box.width, top: box.y, width: box.width }
}

/** Positions of two elements at the same moment, because text that is loaded late may move both between two calls. */
export async function edgesOfBoth(one: Locator, other: Locator): Promise<[Edges, Edges]> {
  for (const element of [one, other]) await element.waitFor()
  return one.evaluate(
    (first, second) => {
      const edges = (element: typeof first): Edges => {
        const { left, right, top, width } = element.getBoundingClientRect()
        return { left, right, top, width }
      }
      if (second === null) throw new Error('The element is not visible.')
      return [edges(first), edges(second)] as [Edges, Edges]
    },
    await other.elementHandle(),
  )
}

/** Waits until the page is not wider than this, in CSS pixels: what measures itself is redrawn after a change of size. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  const isWithin = async () => (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width
  await waitUntil(`the page is within ${width} px`, isWithin)
}
