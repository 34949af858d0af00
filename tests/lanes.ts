/**
 * Files that `npm run test:deep` runs: breadth, such as every row of the specification in a browser and every drill.
 * All other files belong to `npm test`, which proves each guarantee once.
 */
export const DEEP_PLATFORM_FILES = [
  'web/e2e/rows-*.e2e.ts',
  'web/e2e/{admin,admin-users,api-keys,audit-trail,bell,docs,docs-samples,drawn-ahead,everywhere,languages}.e2e.ts',
  'web/e2e/{mail-links,metrics,metrics-chart,plan,profile,public-pages,requests,reset-password,search,sessions,settings,sign-in-delayed}.e2e.ts',
  'web/e2e/sign-in-with-google.e2e.ts',
]
export const OUTAGE_FILES = ['web/e2e/outages/*.outage.ts']
export const DEEP_CHAOS_FILES = ['tests/chaos/{drills,redis-slow}.test.ts']

export const PLATFORM_FILES = ['tests/{tour,limits,oracles,attacks}/*.test.ts', 'web/e2e/*.e2e.ts']
export const CHAOS_FILES = ['tests/chaos/**/*.test.ts']
