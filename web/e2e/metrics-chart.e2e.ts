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

type Box = { x: number; y: number; width: number; height: number }
type Drawn = {
  /** Middle and width of the first slot with requests. */
  x: number
  width: number
  plot: Box
  mark: { x: number; strokeWidth: string }
  tick: { left: number; wide: number; translate: string }
  /** The line of the selected bucket. */
  pick: Box | null
}

/** Measured at the same moment, because the slots move when a minute ends; null while the chart is being redrawn. */
const MEASURE = `(() => {
  const [slot, plot, marks, line] = ['${USED}', '.chart-plot', 'path.p99.marks', '.pick'].map((one) => document.querySelector(one))
  if (!slot || !plot || !marks) return null
  const boxOf = (element) => element.getBoundingClientRect().toJSON()
  const { x, width } = boxOf(slot)
  const before = getComputedStyle(slot, '::before')
  return {
    x: x + width / 2,
    width,
    plot: boxOf(plot),
    mark: { x: boxOf(marks).x, strokeWidth: getComputedStyle(marks).strokeWidth },
    tick: { left: Number.parseFloat(before.left), wide: Number.parseFloat(before.width), translate: before.translate },
    pick: line && boxOf(line),
  }
})()`

/** The first bucket with requests. */
function usedBucket(): Promise<Drawn> {
  return waitUntil('the chart has a bucket', () => page().evaluate<Drawn | null>(MEASURE))
}

/** The first bucket with requests, once its line is drawn. */
function pickedBucket(): Promise<Drawn & { pick: Box }> {
  return waitUntil('a bucket is marked', async () => {
    const { pick, ...drawn } = await usedBucket()
    return pick === null ? undefined : { ...drawn, pick }
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
  const { x, width, mark, tick } = await usedBucket()
  expect(Number.parseFloat(mark.strokeWidth)).toBeGreaterThanOrEqual(MARK_PX_MIN)
  expect(Math.abs(mark.x - x)).toBeLessThan(width)
  expect(tick.wide).toBeGreaterThanOrEqual(MARK_PX_MIN)
  expect(tick.translate).toMatch(/^-50%/)
  expect(Math.abs(tick.left - width / 2)).toBeLessThan(1)
})

test('hovering anywhere above a bucket selects it, and its line is in the middle of its slot', async () => {
  const above = await usedBucket()
  await page().mouse.move(above.x, above.plot.y + 10)
  await expectVisible(readout().getByText('served'))
  const { x, plot, pick } = await pickedBucket()
  expect(Math.abs(pick.x + pick.width / 2 - x)).toBeLessThan(1.5)
  expect(pick.height).toBeGreaterThan(plot.height)
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
  const { plot, pick } = await pickedBucket()
  await page().mouse.click(pick.x, plot.y + 20)
  await page().waitForURL((url) => url.pathname === paths.requests && url.searchParams.get('range') === 'custom')
})
