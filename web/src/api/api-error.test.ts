import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../language/catalogs.ts'
import { i18n } from '../language/i18n.ts'
import { failureOf } from './api-error.ts'
import { fieldTexts } from './field-texts.ts'
import { problemTexts } from './problem-texts.ts'
import { fieldWords, problemWords } from './problem-words.ts'

const answered = { status: 403, statusText: 'Forbidden', headers: new Headers() }
const refused = { code: 'password.wrong', message: 'The current password is not right.' }
const unknown = { code: 'future.code', message: 'In the words of the server.' }

afterEach(() => i18n.activate('en'))

test('in English a failure has the text of the server', () => {
  expect(failureOf(answered, refused).message).toBe('The current password is not right.')
})

test('in another language an error is translated by its code; without a translation the server’s text is shown', async () => {
  i18n.load('es', await loadCatalog('es', 'shell'))
  i18n.activate('es')
  expect(failureOf(answered, refused).message).toBe('La contraseña no es correcta.')
  expect(failureOf(answered, unknown).message).toBe('In the words of the server.')
})

test.each(['es', 'fr'] as const)('every code with a text has a translation in %s', async (language) => {
  i18n.load(language, await loadCatalog(language, 'shell'))
  i18n.activate(language)
  const codes = Object.keys(problemTexts)
  expect(codes.filter((code) => problemWords(code) === undefined)).toEqual([])
  expect(codes.length).toBeGreaterThan(40)
  const rules = Object.keys(fieldTexts).map((text) => text.split(' '))
  expect(rules.filter(([rule, limit]) => fieldWords({ field: '/name', rule, limit }) === undefined)).toEqual([])
  expect(rules.length).toBeGreaterThan(20)
})

test('a field error and a general error use the same sentences, in the same language', async () => {
  i18n.load('es', await loadCatalog('es', 'shell'))
  i18n.activate('es')
  const message = 'The current password is not right.'
  const failure = failureOf(answered, { ...refused, message, errors: [{ field: '/currentPassword', message }] })
  expect(failure.messageFor('currentPassword')).toBe('La contraseña no es correcta.')
})

const longName = { field: '/name', message: 'name must have at most 100 characters', rule: 'maxLength', limit: 100 }
const noName = { field: '/name', message: 'name must not be empty', rule: 'minLength', limit: 1 }
const noBody = { field: '/', message: 'The body must be a JSON object', rule: 'type', limit: 'object' }
const invalid = (error: object) => ({ code: 'request.invalid', message: 'As the server says it.', errors: [error] })

test('a field error is worded by the rule that failed', async () => {
  expect(failureOf(answered, invalid(longName)).messageFor('name')).toBe(longName.message)
  i18n.load('es', await loadCatalog('es', 'shell'))
  i18n.activate('es')
  expect(failureOf(answered, invalid(longName)).messageFor('name')).toBe('name puede tener 100 caracteres como máximo')
  expect(failureOf(answered, invalid(noName)).messageFor('name')).toBe('name no puede estar vacío')
  expect(failureOf(answered, invalid(noBody)).message).toBe('El cuerpo debe ser un objeto JSON')
  expect(failureOf(answered, invalid({ ...noName, rule: 'notYetKnown' })).messageFor('name')).toBe(noName.message)
})
