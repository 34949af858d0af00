import { unpackBrowser } from '@tapeline/testing/browser'
import type { TestProject } from 'vitest/node'
import { type TestPlatform, takePlatform } from './take-platform.ts'

/** Vitest loads this module once per project; all projects of a run share one platform. */
const shared: { platform?: Promise<TestPlatform> } = ((process as unknown as Record<symbol, object>)[
  Symbol.for('tapeline.shared-platform')
] ??= {})

/** One platform shared by all suites that only use it; each test has its own account. */
export async function setup(project: TestProject): Promise<void> {
  shared.platform ??= takePlatform()
  const [{ running }] = await Promise.all([shared.platform, unpackBrowser()])
  project.provide('platform', running)
}

export async function teardown(): Promise<void> {
  const taken = shared.platform
  delete shared.platform
  await (await taken)?.stop()
}
