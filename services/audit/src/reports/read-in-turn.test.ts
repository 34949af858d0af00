import { expect, test } from 'vitest'
import { readInTurn, type Step } from './read-in-turn.ts'

const noted: string[] = []
const step =
  (name: string): Step =>
  async () => {
    noted.push(`${name} runs`)
    return () => noted.push(`${name} is added`)
  }

test('a result is added while the next statement runs, and all results are added', async () => {
  noted.length = 0
  await readInTurn([])
  await readInTurn([step('a'), step('b'), step('c')])
  expect(noted).toEqual(['a runs', 'b runs', 'a is added', 'c runs', 'b is added', 'c is added'])
})

test('a failing statement fails the whole after earlier results were added, and stops the rest', async () => {
  noted.length = 0
  const fails: Step = async () => {
    throw new Error('cut off')
  }
  await expect(readInTurn([step('a'), fails, step('c')])).rejects.toThrow('cut off')
  expect(noted).toEqual(['a runs', 'a is added'])
})

test('when adding fails, the running statement ends before the error is thrown', async () => {
  let isRunning = false
  const slow: Step = async () => {
    isRunning = true
    await new Promise((resolve) => setTimeout(resolve, 20))
    isRunning = false
    return () => {}
  }
  const wrong: Step = async () => () => {
    throw new Error('no sketch')
  }
  await expect(readInTurn([wrong, slow])).rejects.toThrow('no sketch')
  expect(isRunning).toBe(false)
})
