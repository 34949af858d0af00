import { expect, test } from 'vitest'
import { checkSignup, type SignupValues } from './check-signup.ts'
import { passwordStrength } from './password-strength.ts'

const complete: SignupValues = {
  first_name: 'Ada',
  last_name: 'Demo',
  email: 'ada@example.com',
  mobile: '+1 555 010 0199',
  password: 'Amber7tape',
  confirmation: 'Amber7tape',
  hasAgreed: true,
}

test('a complete form has nothing to correct', () => {
  expect(checkSignup(complete)).toEqual({})
})

test.each(['first_name', 'last_name', 'email', 'mobile', 'password', 'confirmation'] as const)(
  'without %s the form shows what to enter',
  (field) => {
    expect(checkSignup({ ...complete, [field]: ' ' })[field]).toBeTruthy()
  },
)

test('passwords that differ are named in the specified words', () => {
  expect(checkSignup({ ...complete, confirmation: 'Amber7tap' })).toEqual({ confirmation: 'Passwords do not match' })
})

test('terms that are not agreed to are named in the specified words', () => {
  expect(checkSignup({ ...complete, hasAgreed: false })).toEqual({ form: 'Please agree to the terms and conditions' })
})

test.each(['Amber7t', 'Amb7😀😀'])(
  'the form rejects the password %s, which is too short for the server',
  (password) => {
    const errors = checkSignup({ ...complete, password, confirmation: password })
    expect(errors).toEqual({ password: 'Use at least 8 characters' })
  },
)

test.each([
  ['', 0, 'Weak'],
  ['amber', 1, 'Weak'],
  ['ambertape', 2, 'Weak'],
  ['ambertape7', 3, 'Medium'],
  ['Ambertape7', 4, 'Medium'],
  ['Ambertape7!', 5, 'Strong'],
  ['Aa1!', 4, 'Medium'],
])('the password %j scores %i, which is %s', (password, score, word) => {
  expect(passwordStrength(password)).toMatchObject({ score, word })
})

test('the advice names the next thing that is missing', () => {
  expect(passwordStrength('Ambertape7').advice).toBe('A symbol makes it strong.')
  expect(passwordStrength('Ambertape7!').advice).toBeUndefined()
})
