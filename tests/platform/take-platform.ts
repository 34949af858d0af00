import { readSharedPlatform } from './kept-platform.ts'
import type { RunningPlatform } from './running-platform.ts'
import { servePages } from './serve-pages.ts'
import { startSharedPlatform } from './start-shared-platform.ts'

export type TestPlatform = { running: RunningPlatform; stop: () => Promise<void> }

/** The running platform named by TEST_PLATFORM_FILE, with its pages rebuilt; otherwise a new one. */
export async function takePlatform(): Promise<TestPlatform> {
  const sharedFile = process.env['TEST_PLATFORM_FILE']
  if (sharedFile === undefined) {
    const { platform, running } = await startSharedPlatform()
    return { running, stop: platform.stop }
  }
  const sharedPlatform = readSharedPlatform(sharedFile)
  // Without ports for pages it is a platform in containers, which serves its own.
  if (sharedPlatform.webPorts.length === 0) return { running: sharedPlatform.running, stop: async () => {} }
  const pages = await servePages(sharedPlatform)
  return { running: { ...sharedPlatform.running, webUrl: pages.url }, stop: pages.stop }
}
