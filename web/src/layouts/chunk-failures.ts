import { openStorage } from '../browser-storage.ts'
import { reloadOnce } from './reload-once.ts'

/** A small resource served with the pages and allowed by their CSP. */
const PROBE = '/favicon.svg'
const failures = new WeakSet<object>()

/** Registers the detection of errors caused by chunks that could not be loaded. */
export function watchChunks(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => void failures.add(payload))
}

export function isChunkFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failures.has(error)
}

export function reloadForChunk(): Promise<boolean> {
  return reloadOnce({
    storage: openStorage(() => sessionStorage),
    now: () => Date.now(),
    isServed,
    reload: () => location.reload(),
  })
}

function isServed(): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(true))
    image.addEventListener('error', () => resolve(false))
    image.src = `${PROBE}?${Date.now()}`
  })
}
