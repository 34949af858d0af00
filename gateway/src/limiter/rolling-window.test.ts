import { expect, test } from 'vitest'
import { RollingWindow } from './rolling-window.ts'

const CELL_MS = 100
const CELLS = 3
const open = () => new RollingWindow({ cellMs: CELL_MS, cells: CELLS })

test('a count leaves the window with its cell', () => {
  const window = open()
  window.add(0, 5)
  expect(window.resetMs(0)).toBe(CELLS * CELL_MS)
  expect([window.count(299), window.count(300)]).toEqual([5, 0])
})

test('a release is subtracted from the cell of its request, while that cell is counted', () => {
  const window = open()
  window.add(0, 5)
  window.add(200, 2)
  window.remove(0, 3)
  expect(window.entries()).toEqual([
    { cell: 0, count: 2 },
    { cell: 2, count: 2 },
  ])
  // Cell 3 replaces cell 0.
  window.add(300, 4)
  window.remove(0, 2)
  window.remove(4, 2)
  expect([window.count(300), window.entries()]).toEqual([
    6,
    [
      { cell: 2, count: 2 },
      { cell: 3, count: 4 },
    ],
  ])
})

test('no more is subtracted than was counted', () => {
  const window = open()
  window.add(0, 1)
  window.remove(0, 3)
  expect(window.count(0)).toBe(0)
})
