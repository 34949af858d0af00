import { paths } from '../src/paths.ts'

export type AppPage = {
  path: string
  /** The modules that the URL needs first. */
  parts: readonly [frame: string, page: string]
  areas: readonly ('shell' | 'dashboard')[]
  /** Rendered before the dashboard's script is loaded, which then hydrates the page. */
  isPrerendered: boolean
}

/**
 * Every URL that the dashboard's script renders (src/routes.tsx); each has a document with links to all its files.
 */
export const appPages: readonly AppPage[] = [
  ...[
    signIn(paths.login, 'login/LoginPage'),
    signIn(paths.signup, 'signup/SignupPage'),
    signIn(paths.forgotPassword, 'forgot-password/ForgotPasswordPage'),
    signIn(paths.resetPassword, 'reset-password/ResetPasswordPage'),
  ].map((page) => ({ ...page, isPrerendered: true })),
  signIn(paths.trustDevice, 'mail-links/TrustDevicePage'),
  signIn(paths.verifyEmail, 'mail-links/VerifyEmailPage'),
  signIn(paths.confirmEmail, 'mail-links/ConfirmEmailPage'),
  signIn(paths.accountExport, 'mail-links/ExportPage'),
  dashboard(paths.profile, 'profile/ProfilePage'),
  dashboard(paths.apiKeys, 'api-keys/ApiKeysPage'),
  dashboard(paths.serviceKeys, 'service-keys/ServiceKeysPage'),
  dashboard(paths.metrics, 'metrics/MetricsPage'),
  dashboard(paths.settings, 'settings/SettingsPage'),
  dashboard(paths.requests, 'requests/RequestsPage'),
  dashboard(paths.auditTrail, 'audit-trail/AuditTrailPage'),
  dashboard(paths.market, 'market/MarketPage'),
  dashboard(paths.downloads, 'downloads/DownloadsPage'),
  dashboard(paths.webhooks, 'webhooks/WebhooksPage'),
  dashboard(paths.reports, 'reports/ReportsPage'),
  dashboard(paths.device, 'device/DevicePage'),
  dashboard(paths.plan, 'plan/PlanPage'),
  dashboard(paths.admin, 'admin/AdminPage'),
]

function signIn(path: string, page: string): AppPage {
  return { path, parts: ['src/layouts/AuthLayout.tsx', sourceOf(page)], areas: ['shell'], isPrerendered: false }
}

function dashboard(path: string, page: string): AppPage {
  const parts = ['src/layouts/DashboardLayout.tsx', sourceOf(page)] as const
  return { path, parts, areas: ['shell', 'dashboard'], isPrerendered: false }
}

function sourceOf(page: string): string {
  return `src/pages/${page}.tsx`
}
