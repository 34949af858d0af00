import { readKeptPlatform } from './kept-platform.ts'
import type { RunningPlatform } from './running-platform.ts'
import { servePages } from './serve-pages.ts'
import { startSharedPlatform } from './start-shared-platform.ts'

export type TakenPlatform = { running: RunningPlatform; stop: () => Promise<void> }

/** The running platform named by TEST_PLATFORM_FILE, with its pages rebuilt; otherwise a new one. */
export async function takePlatform(): Promise<TakenPlatform> {
  const keptFile = process.env['TEST_PLATFORM_FILE']
  if (keptFile === undefined) {
    const { platform, running } = await startSharedPlatform()
    return { running, stop: platform.stop }
  }
  const keptPlatform = readKeptPlatform(keptFile)
  // Without ports for pages it is a platform in containers, which serves its own.
  if (keptPlatform.webPorts.length === 0) return { running: keptPlatform.running, stop: async () => {} }
  const pages = await servePages(keptPlatform)
  return { running: { ...keptPlatform.running, webUrl: pages.url }, stop: pages.stop }
}
