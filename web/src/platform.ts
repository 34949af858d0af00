import { t } from '@lingui/core/macro'
import type { UserDetails } from '@tapeline/contracts/identity/http'
import type { Language } from '@tapeline/contracts/language'
import { lockAcrossTabs } from './api/across-tabs.ts'
import { apiBaseUrl } from './api/api-base.ts'
import { createClient } from './api/client.ts'
import { createReachability } from './api/reachability.ts'
import { tracedFetch } from './api/tracing.ts'
import { openStorage } from './browser-storage.ts'
import { loadCatalog } from './language/catalogs.ts'
import { i18n } from './language/i18n.ts'
import { createObservable } from './observable.ts'
import { createLanguageStore } from './language/language-store.ts'
import { onUserChange } from './session/on-user-change.ts'
import { takeProviderReturn } from './session/provider-return.ts'
import { createProviderSignIn } from './session/provider-sign-in.ts'
import { createSession } from './session/session.ts'
import { createStoredSession, TOKEN, USER } from './session/stored-session.ts'
import { createSettingsStore } from './settings/settings-store.ts'
import { settingsOfDetails } from './settings/user-settings.ts'
import type { Theme } from './theme/theme.ts'
import { themeStore } from './theme/use-theme.ts'
import { clearPastToasts, showToast } from './ui/toasts/Toasts.tsx'

const PROBE_TIMEOUT_MS = 5_000

// Connects the browser with the API client and the session: the only file with instances that pages import.

/** The browser's storage, shared by its tabs. */
export const local = openStorage(() => localStorage)
const perTab = openStorage(() => sessionStorage)
const cookies = { read: () => document.cookie, write: (cookie: string) => void (document.cookie = cookie) }
const isSecure = location.protocol === 'https:'
const storedSession = createStoredSession({
  local,
  perTab,
  cookies,
  port: location.port,
  isSecure,
})

export const language = createLanguageStore({
  i18n,
  load: loadCatalog,
  root: document.documentElement,
  cookies,
  search: location.search,
  preferred: navigator.languages,
  isSecure,
})

/** A page that the code wants to open, without a link; main.tsx passes it to the router. */
export const targetPage = createObservable<string | undefined>(undefined)

const returns = createObservable(0)

/** Calls back when the API answers again after an outage. */
export const onReturn = returns.subscribe

export const reachability = createReachability({
  // It costs nothing and needs no service behind the gateway.
  probe: () => api.send({ path: '/api/v1/limits', timeoutMs: PROBE_TIMEOUT_MS }),
  onReturn: () => returns.set(returns.get() + 1),
  now: () => Date.now(),
})

export const api = createClient({
  baseUrl: apiBaseUrl(document.querySelector<HTMLMetaElement>('meta[name="tapeline-api"]')?.content),
  fetch: tracedFetch,
  tokens: storedSession,
  withLock: lockAcrossTabs('locks' in navigator ? navigator.locks : undefined),
  onSessionEnded: endSession,
  reachability,
})

export const settings = createSettingsStore({
  api,
  here: () => ({ theme: themeStore.get(), language: language.get() }),
  now: () => Date.now(),
  apply: ({ theme, language: preferredLanguage, dashboardCompactMode }) => {
    if (theme !== undefined && theme !== themeStore.get()) themeStore.choose(theme)
    if (preferredLanguage !== undefined) void language.choose(preferredLanguage)
    if (dashboardCompactMode === undefined) return
    document.documentElement.dataset['density'] = dashboardCompactMode ? 'compact' : 'normal'
  },
})

export const session = createSession({ api, stored: storedSession, onDetails: applySettings })

function applySettings({ configs }: UserDetails): void {
  const saved = settingsOfDetails(configs)
  if (saved !== undefined) settings.mergeSaved(saved)
}

/** Runs once, however many calls were rejected at the same time. */
function endSession(): void {
  const { status } = session.getState()
  // A visitor's call may be rejected too; what the tab stores is kept then.
  if (status === 'signed-out' && storedSession.read() === undefined) return
  const wasSignedIn = status === 'signed-in'
  session.end()
  if (!wasSignedIn) return
  showToast({
    type: 'info',
    title: t`Your session has ended`,
    message: t`Sign in again to return to this page.`,
  })
}

onUserChange(session, () => {
  clearPastToasts()
  settings.forget()
  if (session.getState().status === 'signed-in') void settings.load()
})

/** A tab without a user that follows a sign-in has not received the settings with the sign-in's details. */
function followOtherTab(): void {
  session.followOtherTab()
  if (session.getState().status === 'signed-in') void settings.loadMissing()
}

/** Stored in this browser and in the signed-in user's settings. */
export function chooseTheme(theme: Theme): void {
  themeStore.choose(theme)
  if (session.getState().status === 'signed-in') settings.change({ theme })
}

/** Stored in this browser and in the signed-in user's settings. */
export function setLanguage(next: Language): void {
  void language.choose(next)
  if (session.getState().status === 'signed-in') settings.change({ language: next })
}

export const providerSignIn = createProviderSignIn(
  {
    api,
    enter: session.enter,
    local,
    perTab,
    showToast,
    goTo: targetPage.set,
    navigate: (url) => location.assign(url),
  },
  takeProviderReturn({ location, history }),
)

/** URL of the API in commands that are pasted into a shell. */
export const publicApiUrl = api.baseUrl === '' ? location.origin : api.baseUrl

window.addEventListener('online', () => reachability.setOnline(true))
window.addEventListener('offline', () => reachability.setOnline(false))
window.addEventListener('storage', (event) => {
  // A null key means that the whole storage was cleared.
  if (event.key === null || event.key === TOKEN || event.key === USER) followOtherTab()
})
// Also on the return to the page, and to the API: an attempt before may have failed.
window.addEventListener('visibilitychange', () => void settings.saveUnsaved())
onReturn(() => void settings.saveUnsaved())
