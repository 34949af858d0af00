import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** A queue with one slot, occupied until `open` is called, and the order in which work is done. */
async function blockedQueue(limits: { waitingMax: number; waitingOfAccountMax: number }) {
  const queue = createFairQueue({ runningMax: 1, ...limits })
  const done: string[] = []
  let open = () => {}
  const first = queue.run('blocker', () => new Promise<void>((end) => (open = end)))
  const add = (account: string, name: string) => queue.run(account, async () => void done.push(name))
  return { queue, done, add, open: () => open(), first }
}

test('accounts take turns, however much one of them sends', async () => {
  const { done, add, open, first } = await blockedQueue({ waitingMax: 100, waitingOfAccountMax: 50 })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2', 'b2'].map((name) => add(name.slice(0, 1), name))
  open()
  await Promise.all([first, ...all])
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'a4'])
})

test('the queue is bounded per account and in total, and accepts work again afterwards', async () => {
  const { done, add, open, first } = await blockedQueue({ waitingMax: 4, waitingOfAccountMax: 3 })
  const all = ['a1', 'a2', 'a3'].map((name) => add('a', name))
  await expect(add('a', 'a4')).rejects.toMatchObject({ code: 'data.unavailable', headers: { 'retry-after': '1' } })
  all.push(add('b', 'b1'))
  await expect(add('c', 'c1')).rejects.toMatchObject({ code: 'data.unavailable' })
  open()
  await Promise.all([first, ...all])
  await add('c', 'c2')
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3', 'c2'])
})

test('failed work frees its slot, and the maximum number of tasks run at once', async () => {
  const queue = createFairQueue({ runningMax: 2, waitingMax: 10, waitingOfAccountMax: 10 })
  let [running, most] = [0, 0]
  const work = async (index: number) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((end) => setTimeout(end, 1))
    running -= 1
    if (index % 2 === 0) throw new Error(`work ${index} failed`)
    return index
  }
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((index) => queue.run('a', () => work(index))))
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect([most, running]).toEqual([2, 0])
})
