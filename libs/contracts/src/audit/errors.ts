export const auditErrors = {
  'period.invalid': 400,
  'tier.feature_not_included': 403,
} as const
