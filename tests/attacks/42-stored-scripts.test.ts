import { createKeyFor, listKeysOf, send } from '@tapeline/testing/api-client'
import { type Browser, openBrowser } from '@tapeline/testing/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, webUrl } = runningPlatform()
const SCRIPT = `"><img src=x onerror="window.stolen=1"><script>window.stolen=1</script>`
const NAME = `<svg onload=window.stolen=1>{{7*7}}`

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

async function signUpAs(firstName: string) {
  const body = {
    first_name: firstName,
    last_name: NAME,
    email: `${crypto.randomUUID()}@example.com`,
    password: `pw-${crypto.randomUUID()}`,
    mobile: '+1',
  }
  const reply = await send<{ data: { jwtToken: string } }>(`${gatewayUrl}/api/v1/internal/user/create`, {
    method: 'PUT',
    body,
  })
  expect(reply.status).toBe(201)
  return { ...body, jwtToken: reply.body.data.jwtToken }
}

test('the API returns a stored script as text that no browser renders', async () => {
  const { jwtToken } = await signUpAs('Ada')
  await createKeyFor(gatewayUrl, jwtToken, SCRIPT)
  const [key] = (await listKeysOf(gatewayUrl, jwtToken)).apiKeys
  expect(key?.name).toBe(SCRIPT)
  const { headers } = await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token: jwtToken })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const missing = await fetch(`${gatewayUrl}/${encodeURIComponent(SCRIPT)}`)
  expect(missing.headers.get('content-type')).toMatch(/^application\/problem\+json/)
})

test('scripts in the names of users and keys are shown as text and never run', async () => {
  const { jwtToken, email, password } = await signUpAs(NAME)
  await createKeyFor(gatewayUrl, jwtToken, SCRIPT)
  const page = await browser.newPage()
  const requested: string[] = []
  page.on('dialog', (dialog) => void dialog.dismiss())
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(`${webUrl}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(/dashboard/)
  await page.getByText(NAME, { exact: false }).first().waitFor()
  expect(await page.evaluate<unknown>('window.stolen')).toBeUndefined()
  await page.goto(`${webUrl}/dashboard/api-keys`)
  await page.getByText(SCRIPT, { exact: false }).first().waitFor()
  expect(await page.evaluate<unknown>('window.stolen')).toBeUndefined()
  expect(requested.filter((url) => url.endsWith('/x'))).toEqual([])
  await page.context().close()
})
