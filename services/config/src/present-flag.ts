import type { FlagView } from '@tapeline/contracts/config/http'
import type { FeatureFlagRow } from './tables.ts'

export function presentFlag({ key, enabled, description, category, priority }: FeatureFlagRow): FlagView {
  return {
    key,
    enabled,
    description,
    metadata: { ...(category === null ? {} : { category }), ...(priority === null ? {} : { priority }) },
  }
}
