import { DEFAULT_SETTINGS, type SavedSettings, type UserSettings } from '@tapeline/contracts/config/settings'
import type { ApiCall } from '../src/api/api-call.ts'
import { ApiError } from '../src/api/api-error.ts'
import { createSettingsStore } from '../src/settings/settings-store.ts'

/** Stores settings as the config service does: each change is a new version, and an outdated version gets a 409. */
export function someServer() {
  const server = {
    saved: { user_settings: DEFAULT_SETTINGS, version: 0 },
    puts: [] as unknown[],
    isUnavailable: false,
    refusesAlways: false,
    beforeAnswer: undefined as (() => Promise<void>) | undefined,
  }
  const data = async (call: ApiCall): Promise<unknown> => {
    return answerTo(call).finally(() => server.beforeAnswer?.())
  }
  const answerTo = async (call: ApiCall): Promise<SavedSettings> => {
    if (server.isUnavailable) throw new ApiError({ status: 0, code: 'network.unreachable', message: 'No answer' })
    if (call.method !== 'PUT') return server.saved
    const { user_settings, version } = call.body as { user_settings: string; version: number }
    server.puts.push(JSON.parse(user_settings))
    if (version !== server.saved.version || server.refusesAlways)
      throw new ApiError({ status: 409, code: 'settings.changed_meanwhile', message: 'Changed' })
    return saveElsewhere(JSON.parse(user_settings))
  }
  const saveElsewhere = (change: Partial<UserSettings>): SavedSettings => {
    server.saved = { user_settings: { ...server.saved.user_settings, ...change }, version: server.saved.version + 1 }
    return server.saved
  }
  return Object.assign(server, { saveElsewhere, api: { data: async <T>(call: ApiCall) => (await data(call)) as T } })
}

export function storeOf(
  server: ReturnType<typeof someServer>,
  localTheme: UserSettings['theme'] = 'dark',
  localLanguage: UserSettings['language'] = 'en',
) {
  const applied: Partial<UserSettings>[] = []
  const store = createSettingsStore({
    api: server.api,
    apply: (settings) => void applied.push(settings),
    here: () => ({ theme: localTheme, language: localLanguage }),
    now: () => 0,
  })
  return { store, applied }
}
