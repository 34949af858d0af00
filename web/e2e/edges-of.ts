import type { Locator } from '@tapeline/testing/browser'

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
