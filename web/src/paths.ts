import type { Tier } from '@tapeline/contracts/actor'

/** Every URL of the pages; no other file contains URLs. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/auth/reset-password',
  trustDevice: '/auth/trust-device',
  verifyEmail: '/auth/verify-email',
  confirmEmail: '/auth/confirm-email',
  accountExport: '/auth/export',
  pricing: '/pricing',
  about: '/about',
  docs: '/docs',
  docsAuthentication: '/docs/authentication',
  docsLimits: '/docs/limits',
  /** Followed by an error code: the page to which the `type` of a problem links. */
  docsErrors: '/docs/errors',
  docsPagination: '/docs/pagination',
  docsMarketData: '/docs/market-data',
  docsStreaming: '/docs/streaming',
  docsSelfHosting: '/docs/self-hosting',
  openApiDocument: '/openapi.json',
  llmsText: '/llms.txt',
  apiDocs: '/api-docs',
  sdk: '/sdk',
  api: '/api',
  status: '/status',
  blog: '/blog',
  blogGateway: '/blog/a-gateway-as-cheap-as-a-proxy',
  blogLimits: '/blog/exact-limits-over-three-gateways',
  careers: '/careers',
  contact: '/contact',
  help: '/help',
  community: '/community',
  support: '/support',
  privacy: '/privacy',
  terms: '/terms',
  cookies: '/cookies',
  gdpr: '/gdpr',
  profile: '/dashboard',
  apiKeys: '/dashboard/api-keys',
  serviceKeys: '/dashboard/service-keys',
  metrics: '/dashboard/metrics',
  settings: '/dashboard/settings',
  requests: '/dashboard/metrics/requests',
  auditTrail: '/dashboard/audit-trail',
  market: '/dashboard/market',
  downloads: '/dashboard/downloads',
  webhooks: '/dashboard/webhooks',
  reports: '/dashboard/reports',
  plan: '/dashboard/plan',
  device: '/dashboard/device',
  admin: '/dashboard/admin',
} as const

const fromMails: ReadonlySet<string> = new Set([
  paths.resetPassword,
  paths.trustDevice,
  paths.verifyEmail,
  paths.confirmEmail,
  paths.accountExport,
])

/** Pages opened from mailed links; available with and without a session. */
export function isFromMail(pathname: string): boolean {
  return fromMails.has(pathname)
}

/** The request log with a filter, by the names that its URL has. */
export function requestsPath(
  filter: Partial<Record<'range' | 'route' | 'key' | 'status' | 'outcome', string>>,
): string {
  const search = new URLSearchParams(filter).toString()
  return search === '' ? paths.requests : `${paths.requests}?${search}`
}

/** The files of an instrument, of some days, by the names that the URL of the page has. */
export function downloadsPath(filter: Partial<Record<'venue' | 'symbol' | 'from' | 'to', string>>): string {
  return `${paths.downloads}?${new URLSearchParams(filter).toString()}`
}

/** A new report of a view of the metrics. */
export function reportPath(view: { key: string | undefined; route: string | undefined }): string {
  const search = new URLSearchParams({ new: 'report' })
  for (const [name, value] of Object.entries(view)) if (value !== undefined) search.set(name, value)
  return `${paths.reports}?${search.toString()}`
}

/** The contact form with its topic selected. */
export function contactPath(topic: string): string {
  return `${paths.contact}?${new URLSearchParams({ topic }).toString()}`
}

const RETURN_PARAMETER = 'next'
const TIER_PARAMETER = 'tier'
/** Only to read a path the way browsers do. */
const SOME_ORIGIN = 'http://pages.invalid'

/** Sign-in that returns to the page that the visitor requested. */
export function loginWithReturn(target: string): string {
  if (target === paths.profile) return paths.login
  return `${paths.login}?${new URLSearchParams({ [RETURN_PARAMETER]: target }).toString()}`
}

/** Sign-up for a plan: continues to the plan page, where that plan's trial starts. */
export function signupForPlan(tier: Tier): string {
  if (tier === 'free') return paths.signup
  return `${paths.signup}?${new URLSearchParams({ [RETURN_PARAMETER]: planPath(tier) }).toString()}`
}

export function planPath(tier: Tier): string {
  return `${paths.plan}?${new URLSearchParams({ [TIER_PARAMETER]: tier }).toString()}`
}

/** The plan that the visitor chose on the pricing page. */
export function chosenTier(search: string): string | null {
  return new URLSearchParams(search).get(TIER_PARAMETER)
}

/** Where sign-in leads. Only pages of the dashboard: a URL from a link must not lead off the site. */
export function returnPath(search: string, landing: string = paths.profile): string {
  const target = new URLSearchParams(search).get(RETURN_PARAMETER)
  if (target === null) return landing
  if (!URL.canParse(target, SOME_ORIGIN)) return paths.profile
  const url = new URL(target, SOME_ORIGIN)
  const isOfDashboard = url.origin === SOME_ORIGIN && `${url.pathname}/`.startsWith(`${paths.profile}/`)
  return isOfDashboard ? url.pathname + url.search : paths.profile
}
