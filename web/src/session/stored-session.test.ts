import { expect, test } from 'vitest'
import { createStoredSession, TOKEN } from './stored-session.ts'

function someTab() {
  const local = new Map<string, string>()
  const perTab = new Set(['reloaded'])
  const stored = createStoredSession({
    local: {
      getItem: (name) => local.get(name) ?? null,
      setItem: (name, value) => void local.set(name, value),
      removeItem: (name) => void local.delete(name),
    },
    perTab,
    cookies: { read: () => '', write: () => undefined },
    port: '3000',
    isSecure: false,
  })
  return { local, perTab, stored }
}

test('the tab of a visitor keeps data that are not part of a session, so that no page reloads endlessly', () => {
  const { perTab, stored } = someTab()
  stored.clearRemains()
  expect([...perTab]).toEqual(['reloaded'])
})

test('an incomplete session is removed completely', () => {
  const { local, perTab, stored } = someTab()
  local.set(TOKEN, 'left')
  stored.clearRemains()
  expect([perTab.size, local.size]).toEqual([0, 0])
})
