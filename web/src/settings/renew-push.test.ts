import { expect, test } from 'vitest'
import { renewPush, TURNED_ON_BY } from './renew-push.ts'

/** A browser in which `turnedOnBy` turned pushes on; `run` is called while it is idle. */
function startOfDashboard(userId: string, { turnedOnBy = 'ada', answer = async (): Promise<unknown> => 'on' } = {}) {
  const waiting: (() => void)[] = []
  const calls: string[] = []
  renewPush({
    local: { getItem: (name) => (name === TURNED_ON_BY ? turnedOnBy : null) },
    userId,
    whenIdle: (run) => void waiting.push(run),
    open: async () => {
      calls.push('opened')
      return {
        state: () => {
          calls.push('registered')
          return answer()
        },
      }
    },
  })
  return { waiting, calls }
}

/** After the callbacks of promises that are already settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a start of the dashboard registers the subscription of this browser again, once it is idle', async () => {
  const { waiting, calls } = startOfDashboard('ada')
  await settled()
  expect(calls).toEqual([])
  for (const run of waiting) run()
  await settled()
  expect(calls).toEqual(['opened', 'registered'])
})

test('for a user who did not turn pushes on in this browser nothing is loaded', () => {
  expect(startOfDashboard('grace').waiting).toEqual([])
})

test('a failed registration is not reported', async () => {
  const { waiting, calls } = startOfDashboard('ada', { answer: () => Promise.reject(new Error('no connection')) })
  for (const run of waiting) run()
  // An unhandled rejection fails the test.
  await settled()
  expect(calls).toEqual(['opened', 'registered'])
})
