/** What stands in the built pages for origins that only whoever serves them knows. */
export const SITE_ORIGIN = 'https://site.tapeline.invalid'
export const API_ORIGIN = 'https://api.tapeline.invalid'

const OF_DASHBOARD = /^\/(login|signup|forgot-password|auth|dashboard)(\/|$)/

/** What the dashboard's own script draws, sign-in included, even where the build has drawn it ahead; deploy/nginx.conf has the same list. */
export function isOfDashboard(path: string): boolean {
  return OF_DASHBOARD.test(path)
}
