import { setupI18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { expect, test } from 'vitest'
import { loadCatalog } from './catalogs.ts'
import { i18n } from './i18n.ts'
import { createLanguageStore } from './language-store.ts'

/** A browser with cookies, and catalogs that load asynchronously. */
function someBrowser({ cookie = '', search = '', preferred = ['en-US'] } = {}) {
  const browser = { root: { lang: 'en' }, cookie, loaded: [] as string[] }
  const own = setupI18n({ locale: 'en', messages: { en: {} } })
  const store = createLanguageStore({
    i18n: own,
    load: async (language, area) => {
      browser.loaded.push(`${language} ${area}`)
      if (area === 'public') throw new Error('The network is unavailable.')
      return { hello: language === 'es' ? ['Hola'] : ['Bonjour'] }
    },
    root: browser.root,
    cookies: { read: () => browser.cookie, write: (written) => void (browser.cookie = written) },
    search,
    preferred,
    isSecure: true,
  })
  return { browser, store, texts: () => own._('hello') }
}

test('the language is that of the URL, then the stored choice, then the preference of the browser', async () => {
  expect(someBrowser({ search: '?lang=fr', cookie: 'tapeline-language=es' }).store.get()).toBe('fr')
  expect(someBrowser({ cookie: 'a=b; tapeline-language=es', preferred: ['fr'] }).store.get()).toBe('es')
  expect(someBrowser({ preferred: ['pt-BR', 'es-MX', 'fr'] }).store.get()).toBe('es')
  expect(someBrowser({ cookie: 'tapeline-language=xx', preferred: [] }).store.get()).toBe('en')
})

test('a choice is stored and applies once its catalog is loaded, also on the root element', async () => {
  const { browser, store, texts } = someBrowser()
  await store.start()
  expect([browser.loaded, browser.root.lang]).toEqual([['en shell'], 'en'])
  await store.need('dashboard')
  await store.choose('es')
  expect([browser.root.lang, texts()]).toEqual(['es', 'Hola'])
  expect(browser.cookie).toBe('tapeline-language=es; Path=/; Max-Age=31536000; SameSite=Lax; Secure')
  expect(browser.loaded.slice(-2)).toEqual(['es shell', 'es dashboard'])
})

test('of two choices the last one applies, and a language without a catalog cannot be chosen', async () => {
  const { browser, store, texts } = someBrowser()
  await Promise.all([store.choose('es'), store.choose('fr')])
  await store.choose('de')
  expect([store.get(), browser.root.lang, texts()]).toEqual(['fr', 'fr', 'Bonjour'])
})

test('the page stays readable if a catalog cannot be loaded', async () => {
  const { browser, store } = someBrowser({ cookie: 'tapeline-language=fr' })
  await store.need('public')
  await store.start()
  expect(browser.root.lang).toBe('fr')
})

test('messages contain their English text; catalogs contain the other languages', async () => {
  const keys = 1_200
  const texts = () => [t`Language`, plural(keys, { one: '# key', other: '# keys' })]
  expect(texts()).toEqual(['Language', '1,200 keys'])
  i18n.load('es', await loadCatalog('es', 'shell'))
  i18n.activate('es')
  expect(texts()[0]).toBe('Idioma')
  i18n.activate('en')
})
