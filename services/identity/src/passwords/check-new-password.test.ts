import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkNewPassword } from './check-new-password.ts'

test.each([
  'password',
  'PASSWORD1',
  'qwertyuiop',
  'iloveyou',
  'tapeline123',
  'ｐａｓｓｗｏｒｄ',
  'ada@example.com',
  'Ada.Lovelace',
])('the password %s is rejected as too common', (password) => {
  const email = password === 'Ada.Lovelace' ? 'ada.lovelace@example.com' : 'ada@example.com'
  expect(() => checkNewPassword(password, { email, field: '/password' })).toThrow(
    expect.objectContaining({ code: 'password.too_common', errors: [expect.objectContaining({ field: '/password' })] }),
  )
})

test.each(['correct horse battery', 'Tl4-9f8aYq2LmZ', 'x'.repeat(1_024)])('the password %s is accepted', (password) => {
  expect(() => checkNewPassword(password, { email: 'ada@example.com', field: '/password' })).not.toThrow()
})

test('the list contains three thousand passwords of at least the minimum length', () => {
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const passwords = lines.filter((line) => !line.startsWith('# '))
  expect(new Set(passwords).size).toBe(3_000)
  expect(passwords.filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([])
})
