import type { TestPlatform } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import { pause } from '../chaos/drill.ts'
import { type Programs, startWatchers } from './watchers.ts'

export type PageDelay = {
  /** The first page that reached the receiver. */
  alert: string
  /** Seconds from the kill to the page. */
  afterSeconds: number
  /** How long Prometheus had watched requests that succeeded. */
  watchedSeconds: number
}

const PAGES_WITHIN_MS = 600_000

/** Kills market-data under load and waits for the first page, with the scrape interval, rules and waits of the product. */
export async function measurePageDelay(
  programs: Programs,
  { platform, dir, targets, watchedMs }: Options,
): Promise<PageDelay> {
  const watchers = await startWatchers(programs, { dir, targets, durations: 'product' })
  try {
    await pause(watchedMs)
    const before = watchers.notices.length
    const killedMs = Date.now()
    await platform.kill('market-data')
    const firstPage = () =>
      watchers.notices.slice(before).find(({ status, severity }) => status === 'firing' && severity === 'page')
    const { alert, atMs } = await waitUntil('a page arrives', firstPage, PAGES_WITHIN_MS)
    await platform.restart('market-data')
    return { alert, afterSeconds: Math.round((atMs - killedMs) / 1_000), watchedSeconds: watchedMs / 1_000 }
  } finally {
    await watchers.stop()
  }
}

type Options = { platform: TestPlatform; dir: string; targets: Record<string, string>; watchedMs: number }
