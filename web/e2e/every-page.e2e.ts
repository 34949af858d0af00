import { createKeyFor, listTrades, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { allPages } from './all-pages.ts'
import { longTexts } from './long-texts.ts'
import { createPageViewer, turn, USUAL, type Viewer } from './page-viewer.ts'
import { pairsOfVariants } from './pairs-of-variants.ts'
import { walkByTab } from './walk-by-tab.ts'

/** Rules of axe; `npm run a11y` checks the complete matrix. */
const RUNS_MAX = 70
const NARROW = 320

const platform = runningPlatform()
let browser: Browser
let viewer: Viewer

beforeAll(async () => {
  browser = await openBrowser()
  const account = await signUpUser(platform.gatewayUrl)
  // An admin, who can see every page.
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', account.user.id, 'admin')
  await operator.close()
  const { apiKey } = await createKeyFor(platform.gatewayUrl, account.jwtToken, 'notebook')
  await listTrades(platform.gatewayUrl, apiKey)
  viewer = await createPageViewer(browser, platform.webUrl, account)
})
afterAll(() => browser?.close())

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

test.each(allPages.map((shown) => [shown.path, shown] as const))(
  '%s has no barrier that axe finds; Tab comes by everything in order and is seen; at 320 px nothing scrolls sideways',
  async (_, shown) => {
    const page = await viewer.open(shown, USUAL)
    expect(await findBarriers(page)).toEqual([])
    expect(await walkByTab(page)).toEqual([])
    await turn(page, { theme: USUAL.theme, width: NARROW })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await longTexts(page)).toEqual([])
  },
)

test.each(
  pairsOfVariants(allPages, RUNS_MAX - allPages.length).map(({ shown, variant }) => ({
    ...shown,
    ...variant,
    shown,
    variant,
  })),
)('$path, $theme, $language, $width px: no barrier, nothing scrolls sideways', async ({ shown, variant }) => {
  const page = await viewer.open(shown, variant)
  expect(await findBarriers(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
})
