export const identityErrors = {
  'login.failed': 401,
  'login.busy': 503,
  'sign_up.failed': 400,
  'password.too_common': 400,
  'refresh_token.invalid': 401,
  'account.inactive': 403,
  'account.not_found': 404,
  'account.last_admin': 409,
} as const
