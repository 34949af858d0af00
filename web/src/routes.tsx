import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { inLanguage } from './language/in-language.tsx'
import { ErrorScreen } from './layouts/ErrorScreen.tsx'
import { preloadVerifyEmailHint } from './layouts/lazy-verify-email-hint.ts'
import { PublicPageRedirect } from './layouts/PublicPageRedirect.tsx'
import { RootLayout } from './layouts/RootLayout.tsx'
import type { PageHandle } from './layouts/use-page-title.ts'
import { paths } from './paths.ts'
import type { RouteObject } from './router.ts'

/** Every URL that is rendered in the browser, and its page; public/public-pages.tsx has the others. */
export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <ErrorScreen />,
    HydrateFallback: () => null,
    children: [
      {
        lazy: inLanguage('shell', async () => (await import('./layouts/AuthLayout.tsx')).AuthLayout),
        children: [
          {
            path: paths.login,
            handle: page(msg`Login`),
            lazy: inLanguage('shell', async () => (await import('./pages/login/LoginPage.tsx')).LoginPage),
          },
          {
            path: paths.signup,
            handle: page(msg`Signup`),
            lazy: inLanguage('shell', async () => (await import('./pages/signup/SignupPage.tsx')).SignupPage),
          },
          {
            path: paths.forgotPassword,
            handle: page(msg`Forgot password`),
            lazy: inLanguage(
              'shell',
              async () => (await import('./pages/forgot-password/ForgotPasswordPage.tsx')).ForgotPasswordPage,
            ),
          },
          {
            path: paths.resetPassword,
            handle: page(msg`Set a new password`),
            lazy: inLanguage(
              'shell',
              async () => (await import('./pages/reset-password/ResetPasswordPage.tsx')).ResetPasswordPage,
            ),
          },
          {
            path: paths.trustDevice,
            handle: page(msg`Allow this browser`),
            lazy: inLanguage(
              'shell',
              async () => (await import('./pages/mail-links/TrustDevicePage.tsx')).TrustDevicePage,
            ),
          },
          {
            path: paths.verifyEmail,
            handle: page(msg`Verify your email`),
            lazy: inLanguage(
              'shell',
              async () => (await import('./pages/mail-links/VerifyEmailPage.tsx')).VerifyEmailPage,
            ),
          },
          {
            path: paths.confirmEmail,
            handle: page(msg`Confirm your new email`),
            lazy: inLanguage(
              'shell',
              async () => (await import('./pages/mail-links/ConfirmEmailPage.tsx')).ConfirmEmailPage,
            ),
          },
          {
            path: paths.accountExport,
            handle: page(msg`Download your data`),
            lazy: inLanguage('shell', async () => (await import('./pages/mail-links/ExportPage.tsx')).ExportPage),
          },
        ],
      },
      {
        lazy: inLanguage('shell', async () => {
          preloadVerifyEmailHint()
          return (await import('./layouts/DashboardLayout.tsx')).DashboardLayout
        }),
        children: [
          {
            path: paths.profile,
            handle: page(msg`Profile`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/profile/ProfilePage.tsx')).ProfilePage),
          },
          {
            path: paths.apiKeys,
            handle: page(msg`API Keys`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/api-keys/ApiKeysPage.tsx')).ApiKeysPage),
          },
          {
            path: paths.serviceKeys,
            handle: page(msg`Service Keys`),
            lazy: inLanguage(
              'dashboard',
              async () => (await import('./pages/service-keys/ServiceKeysPage.tsx')).ServiceKeysPage,
            ),
          },
          {
            path: paths.metrics,
            handle: page(msg`API Key Audit`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/metrics/MetricsPage.tsx')).MetricsPage),
          },
          {
            path: paths.settings,
            handle: page(msg`Settings`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage),
          },
          {
            path: paths.requests,
            handle: page(msg`Requests`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/requests/RequestsPage.tsx')).RequestsPage),
          },
          {
            path: paths.auditTrail,
            handle: page(msg`Audit Trail`),
            lazy: inLanguage(
              'dashboard',
              async () => (await import('./pages/audit-trail/AuditTrailPage.tsx')).AuditTrailPage,
            ),
          },
          {
            path: paths.market,
            handle: page(msg`Market`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/market/MarketPage.tsx')).MarketPage),
          },
          {
            path: paths.downloads,
            handle: page(msg`Downloads`),
            lazy: inLanguage(
              'dashboard',
              async () => (await import('./pages/downloads/DownloadsPage.tsx')).DownloadsPage,
            ),
          },
          {
            path: paths.webhooks,
            handle: page(msg`Webhooks`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/webhooks/WebhooksPage.tsx')).WebhooksPage),
          },
          {
            path: paths.reports,
            handle: page(msg`Reports`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/reports/ReportsPage.tsx')).ReportsPage),
          },
          {
            path: paths.plan,
            handle: page(msg`Plan`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/plan/PlanPage.tsx')).PlanPage),
          },
          {
            path: paths.device,
            handle: page(msg`Sign in a device`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/device/DevicePage.tsx')).DevicePage),
          },
          {
            path: paths.admin,
            handle: page(msg`Admin Controls`),
            lazy: inLanguage('dashboard', async () => (await import('./pages/admin/AdminPage.tsx')).AdminPage),
          },
        ],
      },
      { path: '*', element: <PublicPageRedirect /> },
    ],
  },
]

function page(title: MessageDescriptor, documentTitle?: MessageDescriptor): PageHandle {
  return documentTitle === undefined ? { title } : { title, documentTitle }
}
