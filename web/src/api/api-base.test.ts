import { expect, test } from 'vitest'
import { apiBaseUrl } from './api-base.ts'

test('the URL of the API is that in the page, by default port 3001, or its own origin', () => {
  expect(apiBaseUrl(undefined)).toBe('http://localhost:3001')
  expect(apiBaseUrl(' ')).toBe('http://localhost:3001')
  expect(apiBaseUrl('https://api.example/')).toBe('https://api.example')
  expect(apiBaseUrl('/')).toBe('')
})
