import { expect, test } from 'vitest'
import { failureOf } from '../../api/api-error.ts'
import { signupErrors } from './signup-errors.ts'

const refused = (...fields: string[]) =>
  failureOf(new Response(null, { status: 400 }), {
    code: 'request.invalid',
    message: 'The request is invalid.',
    errors: fields.map((field) => ({ field, message: `${field} is wrong` })),
  })

test.each(['first_name', 'last_name', 'email', 'mobile', 'password'])(
  'an error of the server about %s is shown at that field alone',
  (field) => {
    expect(signupErrors(refused(`/${field}`))).toEqual({ [field]: `/${field} is wrong` })
  },
)

test('errors of several fields are in the order of the form, regardless of the order of the answer', () => {
  expect(Object.keys(signupErrors(refused('/password', '/email', '/first_name')))).toEqual([
    'first_name',
    'email',
    'password',
  ])
})

test('an error about a field that the form does not have is shown together with the others', () => {
  expect(signupErrors(refused('/email', '/reminder_time'))).toEqual({
    email: '/email is wrong',
    form: '/reminder_time is wrong',
  })
})

test('an error without fields is shown above the button', () => {
  expect(signupErrors(failureOf(new Response(null, { status: 400 }), { message: 'Signup failed' }))).toEqual({
    form: 'Signup failed',
  })
})

test('a failure without a message still reports that sign-up failed', () => {
  expect(signupErrors(undefined)).toEqual({ form: 'An error occurred during signup' })
})
