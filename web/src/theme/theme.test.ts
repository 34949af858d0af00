import { expect, test } from 'vitest'
import { createThemeStore, nextTheme, parseTheme } from './theme.ts'

test('the theme cycles light, dark, system; the default is dark', () => {
  expect([nextTheme('light'), nextTheme('dark'), nextTheme('system')]).toEqual(['dark', 'system', 'light'])
  expect(parseTheme(null)).toBe('dark')
  expect(parseTheme('neon')).toBe('dark')
})

test('a choice is stored under the product name and set on the root element', () => {
  const entries = new Map<string, string>()
  const root = { dataset: {} as DOMStringMap }
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
  }
  const store = createThemeStore({ root, storage })
  store.choose('system')
  expect(entries.get('tapeline-theme')).toBe('system')
  expect(root.dataset['theme']).toBe('system')
  entries.set('tapeline-theme', 'light')
  store.followStorage('user')
  expect(store.get()).toBe('system')
  store.followStorage('tapeline-theme')
  expect(store.get()).toBe('light')
})
