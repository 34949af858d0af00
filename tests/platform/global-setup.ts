import type { TestProject } from 'vitest/node'
import { servePages } from './serve-pages.ts'
import { readKeptPlatform } from './kept-platform.ts'
import { startSharedPlatform } from './start-shared-platform.ts'

let stop: (() => Promise<void>) | undefined

/** One platform for all suites that only use it; each test has an account of its own. */
export async function setup(project: TestProject): Promise<void> {
  const keptFile = process.env['TEST_PLATFORM_FILE']
  if (keptFile === undefined) {
    const { platform, running } = await startSharedPlatform()
    stop = platform.stop
    project.provide('platform', running)
    return
  }
  // Somebody keeps a platform running: only the pages are built and served anew.
  const kept = readKeptPlatform(keptFile)
  const pages = await servePages(kept)
  stop = pages.stop
  project.provide('platform', { ...kept.running, webUrl: pages.url })
}

export async function teardown(): Promise<void> {
  await stop?.()
}
