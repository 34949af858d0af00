export const configErrors = {
  'tier.invalid': 400,
  'flag.not_found': 404,
  'subscription.not_found': 404,
} as const
