import { configDefaults, defineConfig } from 'vitest/config'
import { linguiPlugins } from '@tapeline/web/lingui-plugins'
import {
  CHAOS_FILES,
  DEEP_CHAOS_FILES,
  DEEP_PLATFORM_ALONE_FILES,
  DEEP_PLATFORM_FILES,
  DEEP_UNIT_FILES,
  OUTAGE_FILES,
  PLATFORM_ALONE_FILES,
  PLATFORM_FILES,
} from './tests/lanes.ts'

const golden = '**/*.golden.test.ts'
const ofTheWhole = ['tests/{tour,limits,oracles,attacks,openapi,chaos}/**']

/** They share one platform with three gateways. */
const sharedPlatform = { globalSetup: './tests/platform/global-setup.ts' }
/** Unit tests wait for PostgreSQL, Redis and Kafka longer than they compute. */
const UNIT_WORKERS = 4

/** A file's own start-up under a busy machine, not its speed: no test asserts one. */
const TEST_TIMEOUT_MS = 180_000
const HOOK_TIMEOUT_MS = 240_000

export default defineConfig({
  plugins: [linguiPlugins()],
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: HOOK_TIMEOUT_MS,
    teardownTimeout: HOOK_TIMEOUT_MS,
    exclude: [...configDefaults.exclude, '.tapeline/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [golden, ...ofTheWhole, ...DEEP_UNIT_FILES],
          // The files of a worker share its modules: half of the processor time of this suite was importing.
          isolate: false,
          maxWorkers: UNIT_WORKERS,
        },
      },
      { extends: true, test: { name: 'unit-deep', include: DEEP_UNIT_FILES } },
      { extends: true, test: { name: 'golden', include: [golden], isolate: false } },
      // Two files at a time, then those that must run alone, all on one platform.
      wholeSystem('platform', PLATFORM_FILES, {
        ...sharedPlatform,
        exclude: [...DEEP_PLATFORM_FILES, ...PLATFORM_ALONE_FILES],
        fileParallelism: true,
      }),
      wholeSystem('platform-alone', PLATFORM_ALONE_FILES, sharedPlatform),
      wholeSystem('platform-deep', DEEP_PLATFORM_FILES, {
        ...sharedPlatform,
        exclude: DEEP_PLATFORM_ALONE_FILES,
        fileParallelism: true,
      }),
      wholeSystem('platform-deep-alone', DEEP_PLATFORM_ALONE_FILES, sharedPlatform),
      wholeSystem('outages', OUTAGE_FILES, { globalSetup: './tests/platform/outages-setup.ts' }),
      wholeSystem('chaos', CHAOS_FILES, { exclude: DEEP_CHAOS_FILES }),
      wholeSystem('chaos-deep', DEEP_CHAOS_FILES),
    ],
  },
})

type More = { globalSetup?: string; exclude?: string[]; fileParallelism?: boolean }

/**
 * One file after another unless `more` differs, with time for the platform to start. The files of a worker share its
 * modules: without it each one took 1.5 s of processor time to start a worker and to import.
 */
function wholeSystem(name: string, include: string[], more: More = {}) {
  return {
    extends: true as const,
    test: {
      fileParallelism: false,
      isolate: false,
      // Projects with different numbers of workers run one after another.
      sequence: { groupOrder: more.fileParallelism === true ? 0 : 1 },
      testTimeout: 180_000,
      hookTimeout: 180_000,
      ...more,
      name,
      include,
    },
  }
}
