/** Placeholder in the built pages for the public origin, which the web server substitutes when it serves them. */
export const SITE_ORIGIN = 'https://site.tapeline.invalid'
export const API_ORIGIN = 'https://api.tapeline.invalid'

const OF_DASHBOARD = /^\/(login|signup|forgot-password|auth|dashboard)(\/|$)/

/**
 * Paths rendered by the dashboard's script, sign-in included, even when prerendered. deploy/nginx.conf has the same
 * list.
 */
export function isOfDashboard(path: string): boolean {
  return OF_DASHBOARD.test(path)
}
