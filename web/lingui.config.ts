import { fileURLToPath } from 'node:url'
import { formatter } from '@lingui/format-po'

/** The texts of a catalog are loaded together: the sign-in pages need none of the dashboard. */
const DASHBOARD = [
  'admin',
  'api-keys',
  'audit-trail',
  'device',
  'downloads',
  'market',
  'metrics',
  'plan',
  'profile',
  'reports',
  'requests',
  'service-keys',
  'settings',
  'webhooks',
].map((page) => `<rootDir>/src/pages/${page}`)
const PUBLIC = ['<rootDir>/src/public', '<rootDir>/src/islands']
const TESTS = ['**/*.test.ts', '**/*.test.tsx']

export default {
  rootDir: fileURLToPath(new URL('.', import.meta.url)),
  locales: ['en', 'es', 'fr'],
  sourceLocale: 'en',
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}/shell',
      include: ['<rootDir>/src'],
      exclude: [...DASHBOARD.map(inside), ...PUBLIC.map(inside), ...TESTS],
    },
    { path: '<rootDir>/src/locales/{locale}/dashboard', include: DASHBOARD, exclude: TESTS },
    { path: '<rootDir>/src/locales/{locale}/public', include: PUBLIC, exclude: TESTS },
  ],
  // Without line numbers a catalog changes only when a text does.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message' as const,
  // The instance that always has a language.
  runtimeConfigModule: { i18n: [fileURLToPath(new URL('src/language/i18n.ts', import.meta.url)), 'i18n'] as const },
}

function inside(folder: string): string {
  return `${folder}/**`
}
