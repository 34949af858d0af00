import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { changedFields, errorsAtFields } from './use-save-form.ts'

const answered = (fields: readonly string[]) =>
  new ApiError({
    status: 422,
    code: 'request.invalid',
    message: 'The request is not valid.',
    errors: fields.map((field) => ({ field, message: `${field} is wrong.` })),
  })

test('an error is shown at its field, or at the field that contains it', () => {
  const found = errorsAtFields(answered(['/networks/2', 'name', '/other']), ['name', 'networks'])
  expect(found).toEqual({ networks: '/networks/2 is wrong.', name: 'name is wrong.' })
})

test('errors of fields that the form does not have are one error of the form', () => {
  expect(errorsAtFields(answered(['/other']), ['name'])).toEqual({ form: 'The request is not valid.' })
  expect(errorsAtFields(answered([]), ['name'])).toEqual({ form: 'The request is not valid.' })
})

test('only the changed fields of a form are sent', () => {
  const initial = { name: 'orders', url: 'https://a.example', event_types: ['key.created'] }
  expect(changedFields(initial, { ...initial, event_types: [...initial.event_types] })).toEqual({})
  expect(changedFields(initial, { ...initial, url: 'https://b.example' })).toEqual({ url: 'https://b.example' })
})
