export const identityErrors = {
  'login.failed': 401,
  'login.busy': 503,
  'sign_up.failed': 400,
  'password.too_common': 400,
  'password.wrong': 403,
  'password.too_weak': 400,
  'reset_token.invalid': 400,
  'refresh_token.invalid': 401,
  'session.not_found': 404,
  'account.inactive': 403,
  'account.not_found': 404,
  'account.last_admin': 409,
} as const
