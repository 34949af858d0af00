import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

const QUICK = { memoryKib: 64, passes: 1, lanes: 1, waitingMax: 20 }

test('only the hashed password is correct, in any Unicode composition of its characters', async () => {
  const passwords = await createPasswordHasher(QUICK)
  const hash = await passwords.hash('caf\u00e9 noir')
  expect(await passwords.verify(hash, 'cafe\u0301 noir')).toBe(true)
  expect(await passwords.verify(hash, 'cafe noir')).toBe(false)
  expect(await passwords.verify(hash, '')).toBe(false)
})

test('without a hash no password is correct', async () => {
  const passwords = await createPasswordHasher(QUICK)
  expect(await passwords.verify(undefined, '')).toBe(false)
})

test('an unknown user takes as long as a wrong password', async () => {
  const passwords = await createPasswordHasher({ ...QUICK, memoryKib: 8_192, passes: 3 })
  const hash = await passwords.hash('right')
  const cpuOf = async (passwordHash: string | undefined) => {
    const before = process.cpuUsage()
    for (let time = 0; time < 5; time += 1) await passwords.verify(passwordHash, 'wrong')
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await cpuOf(hash)
  const existing = await cpuOf(hash)
  const unknown = await cpuOf(undefined)
  expect(unknown).toBeGreaterThan(existing / 3)
})

test('one hash runs at a time, a bounded number waits, and further ones are rejected with Retry-After', async () => {
  const passwords = await createPasswordHasher({ ...QUICK, memoryKib: 4_096, waitingMax: 3 })
  const order: number[] = []
  const taken = [1, 2, 3, 4].map((n) => passwords.hash(`password ${n}`).then(() => order.push(n)))
  await expect(passwords.hash('one too many')).rejects.toMatchObject({
    code: 'login.busy',
    status: 503,
    headers: { 'retry-after': '1' },
  })
  await Promise.all(taken)
  expect(order).toEqual([1, 2, 3, 4])
  await expect(passwords.hash('there is space again')).resolves.toContain('$argon2id$')
})

test('hashing does not block the event loop', async () => {
  const passwords = await createPasswordHasher({ ...QUICK, memoryKib: 65_536, passes: 4 })
  await waitUntil('timers run during a hash', async () => {
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    await passwords.hash('a slow one')
    clearInterval(timer)
    return ticks > 3
  })
})

test('a hash with other settings is detected as outdated', async () => {
  const before = await createPasswordHasher(QUICK)
  const after = await createPasswordHasher({ ...QUICK, passes: 2 })
  const hash = await before.hash('correct horse battery')
  expect(before.isOutdated(hash)).toBe(false)
  expect(after.isOutdated(hash)).toBe(true)
  expect(await after.verify(hash, 'correct horse battery')).toBe(true)
})

test('known devices have priority and reserved slots', async () => {
  const passwords = await createPasswordHasher({ ...QUICK, memoryKib: 4_096, waitingMax: 3, reservedForKnown: 2 })
  const hash = await passwords.hash('right')
  const order: string[] = []
  const verify = (who: string, from: 'anywhere' | 'a known device') =>
    passwords.verify(hash, 'right', from).then(() => order.push(who))
  const busy = { code: 'login.busy' }
  const taken = [verify('first', 'anywhere'), verify('second', 'anywhere')]
  await expect(passwords.verify(hash, 'right')).rejects.toMatchObject(busy)
  taken.push(verify('laptop', 'a known device'), verify('phone', 'a known device'))
  await expect(passwords.verify(hash, 'right', 'a known device')).rejects.toMatchObject(busy)
  await Promise.all(taken)
  expect(order).toEqual(['first', 'laptop', 'phone', 'second'])
})
