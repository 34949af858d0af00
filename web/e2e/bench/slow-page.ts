import type { Browser, Page } from '@tapeline/testing/browser'
import { WATCH_VITALS, watchWords } from './watch-vitals.ts'

/** A phone on a slow mobile network, with a quarter of this machine's speed. */
export const SLOW = { kilobitsPerSecond: 1_600, latencyMs: 150, cpuSlowdown: 4, width: 412, height: 823 }

const KINDS = { js: /javascript/, css: /css/, font: /font|woff/, json: /json/, html: /html/ }
export type Kind = keyof typeof KINDS | 'other'
/** KB transferred, without headers. */
export type Weights = Record<Kind, number> & { files: number }
export type Vitals = { lcpMs: number; fcpMs: number; shift: number; longestTaskMs: number; awaitedMs: number | null }
export type SlowPage = {
  page: Page
  /** Total since the last call. */
  takeWeights: () => Weights
  vitals: () => Promise<Vitals>
  /** How long the slowest reaction to input took since the page was opened or the last call; 0 if under 16 ms. */
  takeReactionMs: () => Promise<number>
  /** The longest task since the last call. */
  takeLongestTaskMs: () => Promise<number>
  close: () => Promise<void>
}
export type StorageState = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
export type SlowPageOptions = {
  /** The session of a signed-in user. */
  storage?: StorageState
  /** An additional condition to wait for; `vitals` reports when it was met. */
  awaited?: { selector: string; words: string }
  /** Another CPU slowdown, for checks that do not depend on a phone's speed. */
  cpuSlowdown?: number
  width?: number
}

/** A page with an empty cache and the network and CPU throttling of a slow phone. */
export async function openSlowPage(browser: Browser, options: SlowPageOptions = {}): Promise<SlowPage> {
  const { storage, awaited, cpuSlowdown = SLOW.cpuSlowdown, width = SLOW.width } = options
  const context = await browser.newContext({
    viewport: { width, height: SLOW.height },
    locale: 'en-GB',
    ...(storage === undefined ? {} : { storageState: storage }),
  })
  const page = await context.newPage()
  const weigh = await slowDown(page, cpuSlowdown)
  await page.addInitScript(WATCH_VITALS)
  if (awaited !== undefined) await page.addInitScript(watchWords(awaited.selector, awaited.words))
  return {
    page,
    takeWeights: weigh,
    vitals: async () => page.evaluate<Vitals>(READ_VITALS),
    takeReactionMs: async () => page.evaluate<number>(take('inputs')),
    takeLongestTaskMs: async () => page.evaluate<number>(take('tasks')),
    close: async () => context.close(),
  }
}

const READ_VITALS = `({
  lcpMs: __seen.lcp,
  fcpMs: __seen.fcp,
  shift: __seen.shift,
  longestTaskMs: Math.max(0, ...__seen.tasks.map(({ ms }) => ms)),
  // Text is in the document before it is painted.
  awaitedMs: __seen.awaited === undefined ? null : Math.max(__seen.awaited, __seen.fcp),
})`

function take(what: 'inputs' | 'tasks'): string {
  return `Math.max(0, ...__seen.${what}.splice(0).map(({ ms }) => ms))`
}

async function slowDown(page: Page, cpuSlowdown: number): Promise<() => Weights> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const bytesPerSecond = (SLOW.kilobitsPerSecond * 1_000) / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const kindOf = new Map<string, Kind>()
  let weights = noWeights()
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    kindOf.set(requestId, kindNamed(response.mimeType))
    weights.files += 1
  })
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    weights[kindOf.get(requestId) ?? 'other'] += encodedDataLength / 1_024
  })
  return () => {
    const taken = weights
    weights = noWeights()
    return taken
  }
}

function noWeights(): Weights {
  return { js: 0, css: 0, font: 0, json: 0, html: 0, other: 0, files: 0 }
}

function kindNamed(mimeType: string): Kind {
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[]
  return names.find((kind) => KINDS[kind].test(mimeType)) ?? 'other'
}
