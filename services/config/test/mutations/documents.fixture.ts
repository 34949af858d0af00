import type { Call } from '@tapeline/testing/call-as'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'

/** An admin request whose content is mutated; every mutation must get a valid response. */
export type MutatedDocument = {
  name: string
  method: Call['method']
  url: string
  /** The document that is usually mutated. */
  value: unknown
  /** The request around it, mutated sometimes; `version` is the current one of the tier documents. */
  wrap: (value: unknown, version: number) => unknown
}

const CONFIGS = '/api/v1/admin/global-configs'
const one = (key: string, value: unknown): MutatedDocument => ({
  name: key,
  method: 'PUT',
  url: CONFIGS,
  value,
  wrap: (mutated) => ({ updates: [{ key, value: mutated }], reason: 'tried' }),
})

/** The documents, mutated in turn. */
export const documents: readonly MutatedDocument[] = [
  one('system_config.sign_up', { open: true }),
  one('system_config.sessions', { idle_hours: 12, remembered_days: 30 }),
  one('system_config.retention', { usage_row_days: 90, simulated_record_days: 7 }),
  one('system_config.maintenance', {
    enabled: false,
    message: 'at noon',
    level: 'info',
    until: '2026-03-10T12:00:00Z',
  }),
  one('api_settings.page_sizes', { default: 20, max: 100 }),
  one('brand.anything', { any: ['json', 1, null, { deep: true }] }),
  {
    name: 'a new flag',
    method: 'POST',
    url: '/api/v1/admin/feature-flags',
    value: {
      flag_key: 'new_charts',
      role: 'user',
      enabled: true,
      description: 'Charts that are new.',
      metadata: { category: 'web', priority: 3 },
      rollout_percent: 50,
      enabled_from: '2026-03-10T12:00:00Z',
      enabled_until: null,
    },
    wrap: (mutated) => mutated,
  },
  {
    name: 'the tier documents',
    method: 'PUT',
    url: '/api/v1/admin/tiers',
    value: tierDocuments,
    wrap: (tiers, version) => ({ tiers, version, reason: 'tried' }),
  },
  {
    name: 'one tier document',
    method: 'PUT',
    url: '/api/v1/admin/tiers/pro',
    value: tierDocuments.pro,
    wrap: (document, version) => ({ document, version, reason: 'tried' }),
  },
  {
    name: 'the tier documents as a configuration',
    method: 'PUT',
    url: CONFIGS,
    value: tierDocuments,
    wrap: (value, version) => ({ updates: [{ key: 'subscription_tier_config', value, version }] }),
  },
]
