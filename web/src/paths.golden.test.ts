import { expect, test } from 'vitest'
import { loginWithReturn, paths, returnPath } from './paths.ts'
import { referenceGroups, referencePath } from './public/reference/reference-path.ts'

test('the URLs of the pages match the reviewed list', async () => {
  const groups = [...referenceGroups.api, ...referenceGroups.admin]
  const listing = [
    ...Object.entries(paths).map(([name, path]) => `${path}  ${name}`),
    ...groups.map((group) => `${referencePath(group)}  reference of ${group}`),
  ]
  await expect(`${listing.toSorted().join('\n')}\n`).toMatchFileSnapshot('../golden/paths.txt')
})

test('sign-in leads back to the page that required it', () => {
  const login = loginWithReturn('/dashboard/metrics?range=24h&route=trades')
  expect(login.startsWith('/login?')).toBe(true)
  expect(returnPath(login.slice('/login'.length))).toBe('/dashboard/metrics?range=24h&route=trades')
})

test.each([
  'https://evil.example/',
  '//evil.example/dashboard',
  '/\\evil.example',
  '/dashboardx',
  '/dashboard/../login',
  '/dashboard\\..\\..',
  'javascript:alert(1)',
  '',
])('sign-in never leads to %s', (target) => {
  expect(returnPath(`?${new URLSearchParams({ next: target }).toString()}`)).toBe('/dashboard')
})
