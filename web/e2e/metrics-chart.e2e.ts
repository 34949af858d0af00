import { createKeyFor, listTrades, signUpUser } from '@tapeline/testing/api-client'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const MARK_PX_MIN = 3
/** A slot of the strip that has requests. */
const USED = '.strip .tape i[style*="--"]'

const page = pageOfFile(async () => {
  const person = await signUpUser(gatewayUrl)
  await setTier(platform, person.user.id, 'pro')
  const { apiKey } = await createKeyFor(gatewayUrl, person.jwtToken)
  for (const limit of [1, 1, -1]) await listTrades(gatewayUrl, apiKey, { venues: ['sim'], limit })
  return sessionOf(person)
})
const panel = () => page().getByRole('region', { name: 'Response time and outcomes', exact: true })
const readout = () => panel().getByRole('status')

/**
 * Position of the first bucket with requests: the middle of its slot and the height of the plot above it.
 * Undefined while the chart is being redrawn.
 */
function usedBucket() {
  return waitUntil('the chart has a bucket', async () => {
    const slot = panel().locator(USED).first()
    const [box, plot] = [await slot.boundingBox(), await panel().locator('.chart-plot').boundingBox()]
    if (box === null || plot === null) return undefined
    return { x: box.x + box.width / 2, width: box.width, plot }
  })
}

beforeAll(async () => {
  await page().goto(webUrl + paths.metrics)
  await panel().getByText('the shortest range with 95% of your requests').waitFor()
  await panel().locator(USED).first().waitFor()
})

test('without a chosen range the chart shows minutes around the traffic, and the figures cover 7 days', async () => {
  expect(await page().getByRole('radio', { name: '7 Days' }).isChecked()).toBe(true)
  await expectVisible(panel().getByText('by minute'))
  expect(await panel().locator('.strip .tape i').count()).toBeLessThanOrEqual(30)
  expect(await findBarriers(page())).toEqual([])
})

test('a lone bucket has a mark of 3 px or more, in the middle of the slot that its outcomes share', async () => {
  const { x, width } = await usedBucket()
  const mark = panel().locator('path.p99.marks')
  const strokeWidth = await page().evaluate<string>(
    `getComputedStyle(document.querySelector('path.p99.marks')).strokeWidth`,
  )
  expect(Number.parseFloat(strokeWidth)).toBeGreaterThanOrEqual(MARK_PX_MIN)
  const box = await mark.boundingBox()
  expect(Math.abs((box?.x ?? 0) - x)).toBeLessThan(width)
  const tick = await page().evaluate<{ left: number; wide: number; translate: string }>(`(() => {
    const { left, width, translate } = getComputedStyle(document.querySelector('${USED}'), '::before')
    return { left: Number.parseFloat(left), wide: Number.parseFloat(width), translate }
  })()`)
  expect(tick.wide).toBeGreaterThanOrEqual(MARK_PX_MIN)
  expect(tick.translate).toMatch(/^-50%/)
  expect(Math.abs(tick.left - width / 2)).toBeLessThan(1)
})

test('hovering anywhere above a bucket selects it, and its line is in the middle of its slot', async () => {
  const { x, plot } = await usedBucket()
  await page().mouse.move(x, plot.y + 10)
  await expectVisible(readout().getByText('served'))
  const line = await panel().locator('.pick').boundingBox()
  expect(Math.abs((line?.x ?? 0) + (line?.width ?? 0) / 2 - x)).toBeLessThan(1.5)
  expect(line?.height ?? 0).toBeGreaterThan(plot.height)
  await page().mouse.move(x, plot.y + plot.height - 5)
  await expectVisible(readout().getByText('served'), panel().getByRole('link', { name: /^Open \d requests?$/ }))
})

test('the current minute is marked as incomplete', async () => {
  await expectVisible(panel().getByTestId('running'))
  await panel().getByRole('group').focus()
  await page().keyboard.press('End')
  await expectVisible(readout().getByText('incomplete bucket'))
})

test('a drag over the plot zooms, and Escape shows the whole period', async () => {
  const { plot } = await usedBucket()
  const y = plot.y + plot.height / 2
  await page().mouse.move(plot.x + plot.width * 0.5, y)
  await page().mouse.down()
  await page().mouse.move(plot.x + plot.width * 0.9, y, { steps: 4 })
  await page().mouse.up()
  await panel().getByText('chosen in the chart').waitFor()
  const zoomed = await panel().locator('.strip .tape i').count()
  expect(zoomed).toBeLessThan(20)
  await panel().getByRole('group').focus()
  await page().keyboard.press('Escape')
  await page().keyboard.press('Escape')
  await panel().getByText('by hour').waitFor()
  expect(await panel().locator('.strip .tape i').count()).toBeGreaterThan(150)
})

test('Shift and an arrow key select the bucket with errors, a click in the plot opens its requests', async () => {
  await page().reload()
  await panel().getByText('the shortest range').waitFor()
  await panel().getByText('by minute').waitFor()
  await panel().getByRole('group').press('Shift+ArrowLeft')
  await expectVisible(readout().getByText('1 failed'), panel().locator('.pick'))
  const line = await waitUntil('a bucket is marked', () => panel().locator('.pick').boundingBox())
  const { plot } = await usedBucket()
  await page().mouse.click(line.x, plot.y + 20)
  await page().waitForURL((url) => url.pathname === paths.requests && url.searchParams.get('range') === 'custom')
})
