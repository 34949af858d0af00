import type { Page } from '@tapeline/testing/browser'

type Which = { to: string; method?: string }

/** Delays calls until they are released, so that the state of a page in the meantime can be tested. */
export async function delayCalls(page: Page, { to, method }: Which): Promise<(end: 'answered' | 'cut') => void> {
  const { promise, resolve } = Promise.withResolvers<'answered' | 'cut'>()
  await page.route(to, async (route) => {
    const isOther = method !== undefined && route.request().method() !== method
    const end = isOther ? 'answered' : await promise
    await (end === 'answered' ? route.continue() : route.abort())
  })
  return resolve
}

/** Blocks calls of this page until the returned function is called. */
export async function cutCalls(page: Page, { to, method }: Which): Promise<() => Promise<void>> {
  await page.route(to, (route) =>
    method === undefined || route.request().method() === method ? route.abort() : route.continue(),
  )
  return () => page.unroute(to)
}
