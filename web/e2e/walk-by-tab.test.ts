import { type Browser, openBrowser } from '@tapeline/testing/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkByTab } from './walk-by-tab.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

async function walk(body: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.setContent(`<!doctype html><title>t</title>${body}`)
  const found = await walkByTab(page)
  await page.close()
  return found
}

const GOOD = '<a href="#a">one</a> <button>two</button> <input name="three"> <div tabindex="0">four</div>'

test('a page with ordered stops and visible focus has no faults', async () => {
  expect(await walk(GOOD)).toEqual([])
  expect(
    await walk(`${GOOD}<label><input type="radio" name="r">x</label><label><input type="radio" name="r">y</label>`),
  ).toEqual([])
})

test.each([
  ['<style>button:focus { outline: none }</style>', 'the focus is not seen at button two'],
  ['<button onfocus="this.blur()">shy</button> <button>last</button>', 'Tab never comes to button last'],
  ['<a href="#b" tabindex="3">far</a>', 'Tab goes back from a far to a one'],
  ['<div style="position:fixed; inset:0; background:white"></div>', 'something covers button two'],
  [
    `<input name="trap"><script>document.querySelector('[name=trap]').onkeydown = (event) => event.preventDefault()</script>`,
    'Tab does not come to an end after 5 stops; the last is input [trap]',
  ],
])('%s: %s', async (more, finding) => {
  expect(await walk(GOOD + more)).toContain(finding)
})
