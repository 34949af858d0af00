import { type Call, type OperationGroup } from './operation.ts'

/** Calls of testers and admins. */
export const adminCalls: Record<
  Extract<OperationGroup, 'admin-flags' | 'admin-configs' | 'admin-tiers' | 'admin-users'>,
  Call[]
> = {
  'admin-flags': [
    ['GET /api/v1/admin/feature-flags', 'list-flags', 'List feature flags'],
    [
      'POST /api/v1/admin/feature-flags',
      'create-flag',
      'Create a feature flag',
      'flag.exists',
      'flag.too_many',
      'flag.invalid',
      'flag.role_above_yours',
    ],
    [
      'PATCH /api/v1/admin/feature-flags',
      'update-flag',
      'Change a feature flag',
      'flag.not_found',
      'flag.changed_meanwhile',
      'flag.invalid',
      'flag.role_above_yours',
    ],
    ['GET /api/v1/admin/feature-flags/affected', 'count-affected', 'Count who a flag reaches'],
    ['GET /api/v1/admin/feature-flags/{id}/history', 'show-flag-history', 'Show a flag’s history', 'flag.not_found'],
    [
      'POST /api/v1/admin/feature-flags/{id}/undo',
      'undo-flag',
      'Undo a flag’s last change',
      'flag.not_found',
      'flag.nothing_to_undo',
      'flag.changed_meanwhile',
    ],
  ],
  'admin-configs': [
    ['GET /api/v1/admin/global-configs', 'list-global-configs', 'List global configurations'],
    [
      'PUT /api/v1/admin/global-configs',
      'update-global-configs',
      'Change global configurations',
      'global_config.invalid',
      'global_config.too_large',
      'global_config.changed_meanwhile',
    ],
    [
      'GET /api/v1/admin/global-configs/{key}/history',
      'show-config-history',
      'Show a configuration’s history',
      'global_config.not_found',
    ],
    [
      'GET /api/v1/admin/global-configs/{key}/diff',
      'diff-config',
      'Compare two versions of a configuration',
      'global_config.not_found',
    ],
    [
      'POST /api/v1/admin/global-configs/{key}/undo',
      'undo-config',
      'Undo a configuration’s last change',
      'global_config.nothing_to_undo',
      'global_config.changed_meanwhile',
    ],
  ],
  'admin-tiers': [
    ['GET /api/v1/admin/tiers', 'show-tiers', 'Show the tier documents', 'tier.version_not_found'],
    ['PUT /api/v1/admin/tiers', 'save-tiers', 'Replace the tier documents', 'tier.invalid', 'tier.changed_meanwhile'],
    [
      'PUT /api/v1/admin/tiers/{tier}',
      'save-tier',
      'Replace one tier’s document',
      'tier.invalid',
      'tier.changed_meanwhile',
    ],
    ['GET /api/v1/admin/tiers/history', 'list-tier-history', 'List the versions of the tier documents'],
    [
      'POST /api/v1/admin/tiers/undo',
      'undo-tiers',
      'Go back to earlier tier documents',
      'tier.nothing_to_undo',
      'tier.version_not_found',
      'tier.changed_meanwhile',
    ],
  ],
  'admin-users': [
    ['GET /api/v1/admin/users', 'list-users', 'List users', 'cursor.invalid'],
    [
      'PATCH /api/v1/admin/users',
      'change-user',
      'Change a user’s role or status',
      'account.not_found',
      'account.last_admin',
    ],
    [
      'GET /api/v1/admin/subscriptions/{account}',
      'show-subscription',
      'Show an account’s subscription',
      'subscription.not_found',
    ],
    [
      'PUT /api/v1/admin/subscriptions/{account}',
      'set-subscription',
      'Set an account’s tier or limits of its own',
      'subscription.not_found',
      'subscription.changed_meanwhile',
    ],
  ],
}
