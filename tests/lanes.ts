/**
 * Files that `npm run test:deep` runs: breadth, such as every sentence of the product specification in a browser and every drill.
 * All other files belong to `npm test`, which proves each guarantee once.
 */
export const DEEP_PLATFORM_FILES = [
  'web/e2e/rows-*.e2e.ts',
  'web/e2e/{admin,admin-users,admin-venues,api-keys,audit-trail,bell,device-login,docs,docs-samples,downloads,prerendered,every-page,everywhere,languages}.e2e.ts',
  'web/e2e/{key-shadow,mail-links,many-keys,market,metrics,metrics-chart,newcomer,plan,profile,public-pages,reports,requests,reset-password,search,service-keys,sessions,settings,shadow-limits,sign-in-delayed,webhooks}.e2e.ts',
  'web/e2e/sign-in-with-google.e2e.ts',
  'tests/limits/immediate-changes-long.test.ts',
  'tests/tour/12-use-the-python-client.test.ts',
  'tests/tour/17-use-the-client-elsewhere.test.ts',
  'tests/tour/18-keep-keys-in-terraform.test.ts',
  'tests/oracles/*.test.ts',
  'tests/openapi/*.test.ts',
]
/** Of these, those that change settings of the whole platform or measure a duration: one after the other. */
export const DEEP_PLATFORM_ALONE_FILES = [
  'web/e2e/{admin,admin-users,admin-venues,bell,newcomer,public-pages,shadow-limits,sign-in-with-google}.e2e.ts',
  'web/e2e/rows-{admin,configs,entities,times}.e2e.ts',
  'tests/limits/immediate-changes-long.test.ts',
  'tests/openapi/examples.test.ts',
  'tests/oracles/*.test.ts',
]
/** Long tests of one part: every kill step, a real slow Redis, full files, many processes. */
export const DEEP_UNIT_FILES = [
  'deploy/local/backup/{continued-restore,interrupted-backup}.test.ts',
  'deploy/local/servers/servers.test.ts',
  'deploy/release/release.test.ts',
  'gateway/src/limiter/slow-redis-live.test.ts',
  'gateway/src/operations/failed-restart.test.ts',
  'gateway/src/operations/many-processes.test.ts',
  'gateway/src/usage/full-disk.test.ts',
  'libs/events/src/consumer/zombie.test.ts',
  'libs/sdk-python/python-client.test.ts',
  'services/audit/src/erasure/killed-erasure.test.ts',
  'services/audit/src/request-log/archive/archive-days.test.ts',
  'services/audit/src/request-log/archive/archive-races.test.ts',
  'services/market-data/bench/lake-flatness.test.ts',
  'services/market-data/src/importers/direct-days.test.ts',
  'services/market-data/src/lake/sealing/killed-at-any-step.test.ts',
  'services/market-data/src/oracles/*.test.ts',
  'services/market-data/src/records/stream-memory.test.ts',
  'services/market-data/src/{recorded-book,recorded-data,importers/lean/recorded-quotes}.test.ts',
  'web/prerender/built-pages.test.ts',
]
export const OUTAGE_FILES = ['web/e2e/outages/*.outage.ts']
export const DEEP_CHAOS_FILES = [
  'tests/chaos/{drills,redis-slow,rolling-restart,running-metrics,three-gateways}.test.ts',
  'tests/chaos/ha/lost-coordinator.test.ts',
]

/** Files of the platform suite that change platform-wide settings or need a browser; they run one after the other. */
export const PLATFORM_ALONE_FILES = [
  'tests/limits/{flags-at-once,shadow-limits,tier-documents,immediate-changes}.test.ts',
  'web/e2e/{from-visitor-to-export,story}.e2e.ts',
]
export const PLATFORM_FILES = ['tests/{tour,limits,oracles,attacks,openapi}/*.test.ts', 'web/e2e/*.e2e.ts']
export const CHAOS_FILES = ['tests/chaos/**/*.test.ts']
