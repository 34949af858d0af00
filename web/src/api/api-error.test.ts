import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../language/catalogs.ts'
import { i18n } from '../language/i18n.ts'
import { failureOf } from './api-error.ts'

const answered = { status: 403, statusText: 'Forbidden', headers: new Headers() }
const refused = { code: 'password.wrong', message: 'The current password is not right.' }
const unknown = { code: 'future.code', message: 'In the words of the server.' }

afterEach(() => i18n.activate('en'))

test('in English a failure has the words of the server', () => {
  expect(failureOf(answered, refused).message).toBe('The current password is not right.')
})

test('in another language it is said by its code, and one without words as the server says it', async () => {
  i18n.load('es', await loadCatalog('es', 'shell'))
  i18n.activate('es')
  expect(failureOf(answered, refused).message).toBe('La contraseña no es correcta.')
  expect(failureOf(answered, unknown).message).toBe('In the words of the server.')
})
