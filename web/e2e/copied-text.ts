import type { Locator, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'

/** The text that a button copies. The browser may write the clipboard after the click has returned. */
export async function textCopiedBy(page: Page, button: Locator): Promise<string> {
  const before = `nothing is copied yet ${crypto.randomUUID()}`
  await page.evaluate(`navigator.clipboard.writeText('${before}')`)
  await button.click()
  return waitUntil('the text is copied', async () => {
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    return text === before ? undefined : text
  })
}

/** The clipboard's text once it is as expected: copying ends after the click. */
export function copiedText(page: Page, expected: RegExp): Promise<string> {
  const read = async () => {
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    return expected.test(text) ? text : undefined
  }
  return waitUntil(`the clipboard matches ${String(expected)}`, read)
}
