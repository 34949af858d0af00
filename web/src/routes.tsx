import { AuthLayout } from './layouts/AuthLayout.tsx'
import { DashboardLayout } from './layouts/DashboardLayout.tsx'
import { ErrorScreen } from './layouts/ErrorScreen.tsx'
import { PublicLayout } from './layouts/PublicLayout.tsx'
import { RootLayout } from './layouts/RootLayout.tsx'
import type { PageHandle } from './layouts/use-page-title.ts'
import { paths } from './paths.ts'
import { Navigate, type RouteObject } from './router.ts'

/** Every address and its page. Pages come as chunks of their own. */
export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <ErrorScreen />,
    HydrateFallback: () => null,
    children: [
      {
        element: <PublicLayout />,
        children: [
          {
            path: paths.home,
            handle: page('Home', 'Tapeline: trades and order books, in order'),
            lazy: async () => ({ Component: (await import('./pages/landing/LandingPage.tsx')).LandingPage }),
          },
          {
            path: paths.pricing,
            handle: page('Pricing'),
            lazy: async () => ({ Component: (await import('./pages/pricing/PricingPage.tsx')).PricingPage }),
          },
        ],
      },
      {
        element: <AuthLayout />,
        children: [
          {
            path: paths.login,
            handle: page('Login'),
            lazy: async () => ({ Component: (await import('./pages/login/LoginPage.tsx')).LoginPage }),
          },
          {
            path: paths.signup,
            handle: page('Signup'),
            lazy: async () => ({ Component: (await import('./pages/signup/SignupPage.tsx')).SignupPage }),
          },
          {
            path: paths.forgotPassword,
            handle: page('Forgot password'),
            lazy: async () => ({
              Component: (await import('./pages/forgot-password/ForgotPasswordPage.tsx')).ForgotPasswordPage,
            }),
          },
          {
            path: paths.resetPassword,
            handle: page('Set a new password'),
            lazy: async () => ({
              Component: (await import('./pages/reset-password/ResetPasswordPage.tsx')).ResetPasswordPage,
            }),
          },
          {
            path: paths.verifyEmail,
            handle: page('Verify your email'),
            lazy: async () => ({ Component: (await import('./pages/mail-links/VerifyEmailPage.tsx')).VerifyEmailPage }),
          },
          {
            path: paths.confirmEmail,
            handle: page('Confirm your new email'),
            lazy: async () => ({
              Component: (await import('./pages/mail-links/ConfirmEmailPage.tsx')).ConfirmEmailPage,
            }),
          },
          {
            path: paths.accountExport,
            handle: page('Download your data'),
            lazy: async () => ({ Component: (await import('./pages/mail-links/ExportPage.tsx')).ExportPage }),
          },
        ],
      },
      {
        element: <DashboardLayout />,
        children: [
          {
            path: paths.profile,
            handle: page('Profile'),
            lazy: async () => ({ Component: (await import('./pages/profile/ProfilePage.tsx')).ProfilePage }),
          },
          {
            path: paths.apiKeys,
            handle: page('API Keys'),
            lazy: async () => ({ Component: (await import('./pages/api-keys/ApiKeysPage.tsx')).ApiKeysPage }),
          },
          {
            path: paths.metrics,
            handle: page('API Key Audit'),
            lazy: async () => ({ Component: (await import('./pages/metrics/MetricsPage.tsx')).MetricsPage }),
          },
          {
            path: paths.settings,
            handle: page('Settings'),
            lazy: async () => ({ Component: (await import('./pages/settings/SettingsPage.tsx')).SettingsPage }),
          },
          {
            path: paths.requests,
            handle: page('Requests'),
            lazy: async () => ({ Component: (await import('./pages/requests/RequestsPage.tsx')).RequestsPage }),
          },
          {
            path: paths.auditTrail,
            handle: page('Audit Trail'),
            lazy: async () => ({ Component: (await import('./pages/audit-trail/AuditTrailPage.tsx')).AuditTrailPage }),
          },
          {
            path: paths.plan,
            handle: page('Plan'),
            lazy: async () => ({ Component: (await import('./pages/plan/PlanPage.tsx')).PlanPage }),
          },
          {
            path: paths.admin,
            handle: page('Admin Controls'),
            lazy: async () => ({ Component: (await import('./pages/admin/AdminPage.tsx')).AdminPage }),
          },
        ],
      },
      { path: '*', element: <Navigate to={paths.home} replace /> },
    ],
  },
]

function page(title: string, documentTitle?: string): PageHandle {
  return documentTitle === undefined ? { title } : { title, documentTitle }
}
