import type { Locator } from '@tapeline/testing/browser'

/** Position of an element on the page, in CSS pixels. */
export async function edgesOf(element: Locator): Promise<{ left: number; right: number; top: number; width: number }> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return { left: box.x, right: box.x + box.width, top: box.y, width: box.width }
}
