/** Every address of the pages. Nothing else writes one down. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  pricing: '/pricing',
  profile: '/dashboard',
  apiKeys: '/dashboard/api-keys',
  metrics: '/dashboard/metrics',
} as const

const RETURN_PARAMETER = 'next'

/** Sign-in that leads back to where the visitor wanted to go. */
export function loginWithReturn(wanted: string): string {
  if (wanted === paths.profile) return paths.login
  return `${paths.login}?${new URLSearchParams({ [RETURN_PARAMETER]: wanted }).toString()}`
}

/** Where sign-in leads. Only pages of the dashboard: an address from a link must not lead off the site. */
export function returnPath(search: string): string {
  const wanted = new URLSearchParams(search).get(RETURN_PARAMETER)
  if (wanted === null) return paths.profile
  const isOfDashboard = /^\/dashboard(?:[/?#]|$)/.test(wanted)
  return isOfDashboard && !/[\\\u0000-\u001F]|\/\.\.?(?:\/|$)/.test(wanted) ? wanted : paths.profile
}
