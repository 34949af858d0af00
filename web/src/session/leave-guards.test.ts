import { expect, test } from 'vitest'
import { addLeaveGuard, leaveIfAllowed } from './leave-guards.ts'

test('leaving with unsaved input waits for the answer, otherwise it happens at once', () => {
  let left = 0
  const leave = () => void (left += 1)
  let agree: (() => void) | undefined
  const remove = addLeaveGuard((whenAllowed) => void (agree = whenAllowed))
  leaveIfAllowed(leave)
  expect(left).toBe(0)
  agree?.()
  expect(left).toBe(1)
  remove()
  leaveIfAllowed(leave)
  expect(left).toBe(2)
})
