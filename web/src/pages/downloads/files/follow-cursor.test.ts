import { expect, test } from 'vitest'
import { followCursor } from './follow-cursor.ts'

/** A list of the numbers below `count`, two per page. */
function numbersBelow(count: number) {
  const read: (string | undefined)[] = []
  const readPage = async (cursor: string | undefined) => {
    read.push(cursor)
    const start = Number(cursor ?? 0)
    const data = [start, start + 1].filter((number) => number < count)
    return { data, next_cursor: start + 2 < count ? String(start + 2) : null }
  }
  return { read, readPage }
}

test('a list is read to its end', async () => {
  const { read, readPage } = numbersBelow(5)
  expect(await followCursor(readPage, 3)).toEqual({ entries: [0, 1, 2, 3, 4], isCut: false })
  expect(read).toEqual([undefined, '2', '4'])
})

test('a list with more pages than allowed is reported as cut', async () => {
  const { read, readPage } = numbersBelow(7)
  expect(await followCursor(readPage, 3)).toEqual({ entries: [0, 1, 2, 3, 4, 5], isCut: true })
  expect(read).toHaveLength(3)
})
