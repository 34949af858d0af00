import { PLATFORM_CONFIGS } from '@tapeline/contracts/config/global-configs'
import type { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { fixedSettings, PlatformSettings } from './platform-settings.ts'

const snapshot = (version: number, configs: Record<string, unknown>, isPublic = true): PlatformSnapshot => ({
  version,
  flags: [],
  configs: Object.fromEntries(
    Object.entries(configs).map(([key, value]) => [key, { value, is_public: isPublic }] as const),
  ),
})

test('every default matches the schema of its key', () => {
  for (const [key, config] of Object.entries(PLATFORM_CONFIGS))
    expect(Value.Check(config.schema, config.default), key).toBe(true)
})

test('without a snapshot flags are on and defaults apply', () => {
  const settings = fixedSettings()
  expect(settings.isOn('api_key_audit', someUser())).toBe(true)
  expect(settings.valueOf('system_config.sign_up')).toEqual({ open: true })
  expect(settings.storedValueOf('system_config.retention')).toBeUndefined()
  expect(settings.flagsFor(null)).toBeUndefined()
  expect(settings.report()).toEqual({ version: 0, origin: 'nowhere', refused: 0 })
})

test('a snapshot without a flag turns it off', () => {
  expect(fixedSettings(snapshot(1, {})).isOn('api_key_audit', someUser())).toBe(false)
})

test('an invalid value is counted and the last valid one stays in effect', () => {
  const state = { snapshot: snapshot(1, { 'system_config.sessions': { idle_hours: 2, remembered_days: 3 } }) }
  const settings = new PlatformSettings(
    {
      ...state,
      origin: 'owner',
      refused: 0,
      get snapshot() {
        return state.snapshot
      },
    },
    Date.now,
  )
  const read = () => settings.valueOf('system_config.sessions')
  expect(read()).toEqual({ idle_hours: 2, remembered_days: 3 })
  for (const wrong of [
    null,
    [],
    'NaN',
    { idle_hours: 'NaN', remembered_days: 3 },
    { idle_hours: -1, remembered_days: 3 },
  ]) {
    state.snapshot = snapshot(2, { 'system_config.sessions': wrong })
    expect(read()).toEqual({ idle_hours: 2, remembered_days: 3 })
  }
  expect(settings.report().refused).toBe(5)
  state.snapshot = snapshot(3, {})
  expect(read()).toEqual({ idle_hours: 12, remembered_days: 30 })
})

test('users receive all public configurations, also of unknown keys', () => {
  const configs = { 'brand.color': 'green', 'system_config.sign_up': { open: false } }
  expect(fixedSettings(snapshot(1, configs)).publicValues()).toEqual({
    'api_settings.page_sizes': { default: 20, max: 100 },
    'system_config.maintenance': { enabled: false, message: '', level: 'info', until: null },
    'system_config.sign_up': { open: false },
    'brand.color': 'green',
  })
  expect(fixedSettings(snapshot(1, configs, false)).publicValues()).not.toHaveProperty('brand.color')
  expect(fixedSettings(snapshot(1, configs, false)).publicValues()).not.toHaveProperty(['system_config.sign_up'])
})
