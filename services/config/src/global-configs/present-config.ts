import {
  CONFIG_CATEGORIES,
  type ConfigCategory,
  type GlobalConfig,
  isKnownConfig,
  KNOWN_CONFIGS,
} from '@tapeline/contracts/config/global-configs'
import type { GlobalConfigRow } from '../tables.ts'

/** A configuration as admins see it: what is stored, else the default of a known key. */
export function presentConfig(key: string, row: GlobalConfigRow | undefined): GlobalConfig {
  const known = isKnownConfig(key) ? KNOWN_CONFIGS[key] : undefined
  const isStored = row !== undefined && row.state !== null
  return {
    id: isStored ? row.id : null,
    value: isStored ? row.state?.value : (known?.default ?? null),
    version: row?.version ?? 0,
    category: known?.category ?? categoryOf(key),
    is_public: row?.state?.is_public ?? known?.isPublic ?? false,
    description: known?.description ?? null,
    is_known: known !== undefined,
    updated_at: row?.updated_at.toISOString() ?? null,
    updated_by: row?.updated_by ?? null,
  }
}

/** What a key's first word says; else it is of the system. */
function categoryOf(key: string): ConfigCategory {
  return CONFIG_CATEGORIES.find((category) => key === category || key.startsWith(`${category}.`)) ?? 'system_config'
}
