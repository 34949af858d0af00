import { expect, test } from 'vitest'
import { FeedBlock, type Message, type View } from './feed-block.ts'

const rows = Array.from({ length: 3 }, (_value, n) => ['1', String(n + 1), String(n + 10), '0'])
const viewOf = (key: string, onRender: () => void): View => ({
  key,
  matches: undefined,
  renderNow: () => {
    onRender()
    return (row) => JSON.stringify(row)
  },
})

test('a view is rendered once, and equal subscriptions send the same message', () => {
  const block = new FeedBlock(rows)
  let rendered = 0
  const view = viewOf('all', () => (rendered += 1))
  expect(block.portions(view)).toBe(block.portions(view))
  expect(rendered).toBe(1)
  const make = (): Message => ({ type: 'trades', json: '{}' })
  expect(block.message('a', make)).toBe(block.message('a', make))
})

test('a block releases its messages once they are sent, and keeps few for many different subscriptions', () => {
  const block = new FeedBlock(rows)
  const first = block.message('0', () => ({ type: 'trades', json: 'first' }))
  block.clearMessages()
  expect(block.message('0', () => ({ type: 'trades', json: 'again' }))).not.toBe(first)
  let rendered = 0
  for (let n = 0; n < 1_000; n += 1) {
    block.message(String(n), () => ({ type: 'trades', json: 'x' }))
    block.portions(viewOf(String(n), () => (rendered += 1)))
  }
  expect(rendered).toBe(1_000)
  const caches = Object.values(block).filter((value) => value instanceof Map)
  expect(caches.length).toBe(2)
  expect(Math.max(...caches.map(({ size }) => size))).toBeLessThanOrEqual(8)
})
