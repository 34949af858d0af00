import {
  CONFIG_CATEGORIES,
  type ConfigCategory,
  type GlobalConfig,
  isPlatformConfig,
  PLATFORM_CONFIGS,
} from '@tapeline/contracts/config/global-configs'
import type { GlobalConfigRow } from '../tables.ts'

/** A configuration as presented to admins: the stored value, otherwise the default of a known key. */
export function presentConfig(key: string, row: GlobalConfigRow | undefined): GlobalConfig {
  return { ...presentDefault(key), ...(row && presentStored(row)) }
}

function presentDefault(key: string): GlobalConfig {
  const neverStored = { id: null, version: 0, updated_at: null, updated_by: null }
  if (!isPlatformConfig(key)) {
    const unknown = { value: null, category: categoryOf(key), is_public: false, description: null, is_known: false }
    return { ...neverStored, ...unknown }
  }
  const { default: value, category, isPublic, description } = PLATFORM_CONFIGS[key]
  return { ...neverStored, value, category, is_public: isPublic, description, is_known: true }
}

/** Fields of a stored row that replace the default's; a reverted row contributes only who changed it and when. */
function presentStored({ id, state, version, updated_at, updated_by }: GlobalConfigRow): Partial<GlobalConfig> {
  const change = { version, updated_at: updated_at.toISOString(), updated_by }
  return state === null ? change : { ...change, id, value: state.value, is_public: state.is_public }
}

/** The category named by the key's first segment, otherwise system. */
function categoryOf(key: string): ConfigCategory {
  return CONFIG_CATEGORIES.find((category) => key === category || key.startsWith(`${category}.`)) ?? 'system_config'
}
