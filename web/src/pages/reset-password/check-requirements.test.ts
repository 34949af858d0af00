import { expect, test } from 'vitest'
import { meetsRequirements } from './check-requirements.ts'

test.each([
  ['Amber7ta', true],
  ['Ámber7tá', true],
  ['Amber7t', false],
  ['Amb7😀😀', false],
  ['Amb7😀😀😀😀', true],
  ['AMBER7TA', false],
  ['amber7ta', false],
  ['Amberxta', false],
])('the requirements for the password %s are met: %s', (password, isMet) => {
  expect(meetsRequirements(password)).toBe(isMet)
})
