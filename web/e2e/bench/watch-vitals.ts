/**
 * Runs in every page before its own scripts: records the browser's own measurements of painting, layout shift, long
 * tasks and input.
 */
export const WATCH_VITALS = `
  const seen = (window.__seen = { lcp: 0, fcp: 0, shift: 0, tasks: [], inputs: [], awaited: undefined })
  const watch = (type, take, more = {}) => {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  }
  watch('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.fcp = startTime })
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value })
  watch('longtask', ({ startTime, duration }) => { seen.tasks.push({ at: startTime, ms: duration }) })
  watch('event', ({ startTime, duration, interactionId, name }) => {
    if (interactionId) seen.inputs.push({ at: startTime, ms: duration, name })
  }, { durationThreshold: 16 })
`

/** Time at which an element that matches the selector first had this text. */
export function watchWords(selector: string, words: string): string {
  return `
    const look = setInterval(() => {
      const text = document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''
      if (!text.includes(${JSON.stringify(words)})) return
      window.__seen.awaited = performance.now()
      clearInterval(look)
    }, 50)
  `
}
