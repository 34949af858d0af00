import { configDefaults, defineConfig } from 'vitest/config'
import { linguiPlugins } from '@tapeline/web/lingui-plugins'

const golden = '**/*.golden.test.ts'
const ofTheWhole = ['tests/{tour,limits,oracles,attacks,chaos}/**']

/** They share one platform with three gateways. */
const platformFiles = ['tests/{tour,limits,oracles,attacks}/*.test.ts', 'web/e2e/*.e2e.ts']

/** A file's own start-up under a busy machine, not its speed: no test asserts one. */
const TEST_TIMEOUT_MS = 90_000
const HOOK_TIMEOUT_MS = 120_000

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
        test: { name: 'unit', include: ['**/*.test.{ts,tsx}'], exclude: [golden, ...ofTheWhole] },
      },
      { extends: true, test: { name: 'golden', include: [golden] } },
      wholeSystem('platform', platformFiles, { globalSetup: './tests/platform/global-setup.ts' }),
      wholeSystem('outages', ['web/e2e/outages/*.outage.ts'], { globalSetup: './tests/platform/outages-setup.ts' }),
      wholeSystem('chaos', ['tests/chaos/*.test.ts']),
    ],
  },
})

/** One file after another, with time for the platform to start. */
function wholeSystem(name: string, include: string[], more: { globalSetup?: string } = {}) {
  return {
    extends: true as const,
    test: { ...more, name, include, fileParallelism: false, testTimeout: 180_000, hookTimeout: 180_000 },
  }
}
