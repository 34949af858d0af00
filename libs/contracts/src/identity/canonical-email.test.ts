import { expect, test } from 'vitest'
import { canonicalEmail } from './canonical-email.ts'

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  [' ada@example.com ', 'ada@example.com'],
  ['ſara@example.com', 'sara@example.com'],
  ['ａｄａ＠example.com', 'ada@example.com'],
  ['ıda@example.com', 'ıda@example.com'],
  ['ada+news@example.com', 'ada+news@example.com'],
  ['a\0da@example.com', 'a\uFFFDda@example.com'],
])('%j is compared as %j', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical)
})
