import { type Call, type OperationGroup } from './operation.ts'

/** Calls of testers and admins. */
export const adminCalls: Record<
  Extract<OperationGroup, 'admin-flags' | 'admin-configs' | 'admin-tiers' | 'admin-users' | 'admin-venues'>,
  Call[]
> = {
  'admin-flags': [
    ['list-flags', 'List feature flags'],
    ['create-flag', 'Create a feature flag', 'flag.exists', 'flag.too_many', 'flag.invalid', 'flag.role_above_yours'],
    [
      'update-flag',
      'Change a feature flag',
      'flag.not_found',
      'flag.changed_meanwhile',
      'flag.invalid',
      'flag.role_above_yours',
    ],
    ['count-affected', 'Count the accounts that a flag applies to'],
    ['show-flag-history', 'Show a flag’s history', 'flag.not_found'],
    ['undo-flag', 'Undo a flag’s last change', 'flag.not_found', 'flag.nothing_to_undo', 'flag.changed_meanwhile'],
  ],
  'admin-configs': [
    ['list-global-configs', 'List global configurations'],
    [
      'update-global-configs',
      'Change global configurations',
      'global_config.invalid',
      'global_config.too_large',
      'global_config.changed_meanwhile',
    ],
    ['show-config-history', 'Show a configuration’s history', 'global_config.not_found'],
    ['diff-config', 'Compare two versions of a configuration', 'global_config.not_found'],
    [
      'undo-config',
      'Undo a configuration’s last change',
      'global_config.nothing_to_undo',
      'global_config.changed_meanwhile',
      'request.route_not_found',
    ],
  ],
  'admin-tiers': [
    ['show-tiers', 'Show the tier documents', 'tier.version_not_found'],
    ['save-tiers', 'Replace the tier documents', 'tier.invalid', 'tier.changed_meanwhile'],
    ['save-tier', 'Replace one tier’s document', 'request.route_not_found', 'tier.invalid', 'tier.changed_meanwhile'],
    ['list-tier-history', 'List the versions of the tier documents'],
    [
      'undo-tiers',
      'Restore earlier tier documents',
      'tier.nothing_to_undo',
      'tier.version_not_found',
      'tier.changed_meanwhile',
    ],
    [
      'propose-limits',
      'Set a tier’s shadow limits',
      'request.route_not_found',
      'tier.invalid',
      'tier.changed_meanwhile',
    ],
    [
      'withdraw-limits',
      'Remove a tier’s shadow limits',
      'request.route_not_found',
      'tier.no_shadow_limits',
      'tier.changed_meanwhile',
    ],
    [
      'enforce-limits',
      'Make a tier’s shadow limits its limits',
      'request.route_not_found',
      'tier.no_shadow_limits',
      'tier.changed_meanwhile',
    ],
    ['show-shadow-report', 'Show what shadow limits decided', 'period.invalid'],
    ['replay-limits', 'Replay requests with proposed limits', 'period.invalid', 'replay.already_running'],
    ['show-limit-replay', 'Show a replay of limits', 'replay.not_found'],
  ],
  'admin-users': [
    ['show-trail-check', 'Show the latest verification of the audit trail'],
    ['start-trail-check', 'Verify the audit trail'],
    ['list-users', 'List users', 'cursor.invalid'],
    ['change-user', 'Change a user’s role or status', 'account.not_found', 'account.last_admin'],
    ['show-subscription', 'Show an account’s subscription', 'subscription.not_found'],
    [
      'set-subscription',
      'Set an account’s tier or custom limits',
      'subscription.not_found',
      'subscription.changed_meanwhile',
    ],
  ],
  'admin-venues': [
    ['list-venues', 'List venues and the state of their connections'],
    [
      'save-venue',
      'Connect symbols of a venue, or pause it',
      'venue.unknown',
      'venue.symbol_unknown',
      'venue.changed_meanwhile',
    ],
  ],
}
