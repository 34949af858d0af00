import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { knownDevice, newDeviceToken } from './device-token.ts'

const clock = { nowMs: Date.UTC(2026, 2, 1) }
const deps = { secret: 'a secret of the test, long enough for anyone', now: () => new Date(clock.nowMs) }
const someUser = () => ({ id: randomUUIDv7(), devices_not_before: new Date(0) })

test('a device is known to the account that signed in with it, and keeps its id when the token is renewed', () => {
  const user = someUser()
  const deviceId = knownDevice(deps, newDeviceToken(deps, user), user)
  expect(deviceId).toMatch(/^[A-Za-z0-9_-]{16}$/)
  expect(knownDevice(deps, newDeviceToken(deps, user, deviceId), user)).toBe(deviceId)
})

test('another account’s device, a modified token, another secret and no token are unknown', () => {
  const user = someUser()
  const token = newDeviceToken(deps, user)
  expect(knownDevice(deps, token, someUser())).toBeUndefined()
  expect(knownDevice(deps, token, undefined)).toBeUndefined()
  expect(knownDevice({ ...deps, secret: 'another' }, token, user)).toBeUndefined()
  const other = someUser()
  expect(knownDevice(deps, token.replace(user.id, other.id), other)).toBeUndefined()
  const [id, device, issued, signature] = token.split('.')
  expect(knownDevice(deps, `${id}.${device}.${Number(issued) + 1}.${signature}`, user)).toBeUndefined()
  for (const text of [undefined, '', 'x', `${token}x`, ` ${token}`]) {
    expect(knownDevice(deps, text, user)).toBeUndefined()
  }
})

test('while IDENTITY_SECRET is replaced, devices stay known', () => {
  const user = someUser()
  const replaced = { ...deps, secret: ['the newest secret of the test', deps.secret] as const }
  expect(knownDevice(replaced, newDeviceToken(deps, user), user)).toBeDefined()
  expect(knownDevice(replaced, newDeviceToken(replaced, user), user)).toBeDefined()
  expect(knownDevice(deps, newDeviceToken(replaced, user), user)).toBeUndefined()
})

test('a device is forgotten after half a year, or after a password reset', () => {
  const user = someUser()
  const token = newDeviceToken(deps, user)
  const later = { ...deps, now: () => new Date(clock.nowMs + 180 * 86_400_000) }
  expect(knownDevice(later, token, user)).toBeDefined()
  const tooLate = { ...deps, now: () => new Date(clock.nowMs + 180 * 86_400_000 + 1) }
  expect(knownDevice(tooLate, token, user)).toBeUndefined()
  expect(knownDevice(deps, token, { ...user, devices_not_before: deps.now() })).toBeUndefined()
})

test('a device added in the millisecond of the new password stays known', () => {
  const user = { ...someUser(), devices_not_before: deps.now() }
  expect(knownDevice(deps, newDeviceToken(deps, user), user)).toBeDefined()
})
