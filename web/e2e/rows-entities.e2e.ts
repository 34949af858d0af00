import { createKeyFor, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §3 and §5: the fields of requests and responses, read from the calls of the pages.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const INTERNAL = `${gatewayUrl}/api/v1/internal`

type Fields = Record<string, unknown>
type Details = { user: Fields; role: string; featureFlags: string[]; globalConfigs: Fields }

let admin: TestAccount
const page = pageOfFile(async () => {
  admin = await signUpUser(gatewayUrl)
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  await operator.close()
  return sessionOf(admin)
})
const visitor = pageOfFile()

/** The response to a call of the page. */
async function answerTo<T>(
  where: Page,
  { url, method }: { url: string; method: string },
  act: () => Promise<unknown>,
): Promise<T> {
  const answered = where.waitForResponse(
    (response) => response.request().method() === method && response.url().split('?')[0] === url && response.ok(),
  )
  await act()
  return ((await (await answered).json()) as { data: T }).data
}

const OPENINGS_MAX = 3

/**
 * The call that a page makes on opening. The previous page is closed first, so that its pending response is not used. A
 * page that got an error, such as a timeout of a busy machine, is opened again.
 */
async function answerOnOpening<T>(where: Page, path: string, url: string): Promise<T> {
  for (let openings = 1; ; openings += 1) {
    await where.goto('about:blank')
    const answered = where.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().split('?')[0] === url,
    )
    await where.goto(webUrl + path)
    const response = await answered
    if (response.ok()) return ((await response.json()) as { data: T }).data
    expect(openings, `${url} returns ${response.status()}`).toBeLessThan(OPENINGS_MAX)
  }
}

let details: Details
beforeAll(async () => {
  details = await answerOnOpening<Details>(page(), paths.profile, `${INTERNAL}/user/details`)
})

test('user, server payload (snake_case): id, first_name … role (admin, tester, user), featureFlags (list of names)', () => {
  const { user } = details
  expect(user).toMatchObject({
    id: admin.user.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: admin.email,
    mobile: '+441234567',
    is_superuser: true,
    status: 'active',
    email_verified: false,
    subscription_tier: 'free',
    reminder_enabled: expect.any(Boolean),
    reminder_time: 9,
    reminder_method: 'email',
    created_at: expect.any(String),
    role: 'admin',
    featureFlags: expect.arrayContaining(['api_key_management', 'api_key_audit']),
  })
  expect(user).toHaveProperty('last_login_at')
  expect(user).toHaveProperty('profile_picture')
})

test('a key-value object of global configs is also returned with user details', () => {
  expect(details.globalConfigs).toEqual(expect.objectContaining({}))
  expect(Array.isArray(details.globalConfigs)).toBe(false)
})

test('profile edit: only first_name, last_name, mobile and the reminder fields are sent; e-mail is editable in the form but not sent', async () => {
  await page().getByRole('button', { name: 'Edit Profile' }).click()
  await page().getByLabel('First name').fill('Augusta')
  await page().getByLabel('Last name').fill('King')
  await page().getByLabel('Email', { exact: true }).fill(`new-${admin.email}`)
  await page().getByLabel('Mobile').fill('+44 1')
  await page().getByLabel('Time', { exact: true }).selectOption('23:00')
  const sent = page().waitForRequest(
    (request) => request.method() === 'PATCH' && request.url().endsWith('/user/update'),
  )
  await page().getByRole('button', { name: 'Save Changes' }).click()
  const expected = { first_name: 'Augusta', last_name: 'King', mobile: '+44 1', reminder_time: 23 }
  expect((await sent).postDataJSON()).toEqual(expected)
  await page().getByRole('dialog', { name: 'Change email' }).getByRole('button', { name: 'Cancel' }).click()
})

test('user settings are saved as a JSON string under user_settings, with the specified names and defaults', async () => {
  await page().goto(webUrl + paths.settings)
  const [sent] = await Promise.all([
    page().waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/settings')),
    page().getByText('Settings saved successfully!').waitFor(),
    page().getByLabel('Compact mode').check(),
  ])
  const { user_settings } = sent.postDataJSON() as { user_settings: string }
  expect(typeof user_settings).toBe('string')
  expect(JSON.parse(user_settings)).toMatchObject({ dashboardCompactMode: true })
  const url = `${INTERNAL}/user/settings`
  const { user_settings: saved } = await answerOnOpening<{ user_settings: Fields }>(page(), paths.settings, url)
  expect(saved).toEqual({
    theme: 'dark',
    language: 'en',
    timezone: 'UTC',
    dashboardDefaultView: 'overview',
    dashboardItemsPerPage: 20,
    dashboardCompactMode: true,
    emailNotifications: true,
    pushNotifications: true,
    notificationFrequency: 'daily',
  })
})

test('the create response gives apiKey and name', async () => {
  await page().goto(`${webUrl}${paths.apiKeys}?new=key`)
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Key Name').fill('notebook')
  const create = () => dialog.getByRole('button', { name: 'Create API Key' }).click()
  const created = await answerTo<Fields>(page(), { url: `${INTERNAL}/api-keys`, method: 'POST' }, create)
  expect(created).toMatchObject({ apiKey: expect.stringMatching(/^tl_live_/), name: 'notebook' })
})

test('ApiKey (list item): id, name, description, api_key (a mask of sixteen bullet characters), is_active, expires_at, last_used_at, created_at', async () => {
  await createKeyFor(gatewayUrl, admin.jwtToken, 'order-router')
  const { apiKeys } = await answerOnOpening<{ apiKeys: Fields[] }>(page(), paths.apiKeys, `${INTERNAL}/api-keys`)
  expect(apiKeys.find(({ name }) => name === 'order-router')).toMatchObject({
    id: expect.any(String),
    description: null,
    api_key: '•'.repeat(16),
    is_active: true,
    expires_at: null,
    last_used_at: null,
    created_at: expect.any(String),
  })
})

test('FeatureFlag: id, flag_key, role (user, tester, admin), enabled, is_active', async () => {
  const url = `${gatewayUrl}/api/v1/admin/feature-flags`
  const flags = await answerOnOpening<Fields[]>(page(), paths.admin, url)
  const named = ['api_key_management', 'api_key_audit', 'pricing_yearly_billing_toggle']
  for (const flag_key of named) {
    expect(flags.find((flag) => flag['flag_key'] === flag_key)).toMatchObject({
      id: expect.any(String),
      role: expect.stringMatching(/^(user|tester|admin)$/),
      enabled: expect.any(Boolean),
      is_active: expect.any(Boolean),
    })
  }
})

test('in the user-facing flag list: key, enabled, description, metadata (category, priority)', async () => {
  const url = `${INTERNAL}/user/feature-flags`
  const { featureFlags, flags } = await answerOnOpening<{ featureFlags: string[]; flags: Fields[] }>(
    visitor(),
    paths.pricing,
    url,
  )
  const toggle = flags.find(({ key }) => key === 'pricing_yearly_billing_toggle')
  expect(toggle).toMatchObject({ enabled: featureFlags.includes('pricing_yearly_billing_toggle') })
  expect(toggle).toHaveProperty('description')
  expect(toggle?.['metadata']).toMatchObject({ category: expect.any(String), priority: expect.any(Number) })
})

test('GlobalConfig: keyed by config name; each has id (null means a default not yet stored) and value (any JSON)', async () => {
  const url = `${gatewayUrl}/api/v1/admin/global-configs`
  const configs = await answerOnOpening<Record<string, Fields>>(page(), `${paths.admin}?tab=configs`, url)
  expect(Object.keys(configs).length).toBeGreaterThan(0)
  for (const [key, config] of Object.entries(configs)) {
    expect(config, key).toHaveProperty('value')
    expect(config['id'] === null || typeof config['id'] === 'string', key).toBe(true)
  }
})

test('subscription tier config: display, billing, rateLimits, features, support of free, basic and pro, and metadata with defaultTrialPeriod', async () => {
  const url = `${INTERNAL}/subscription/pricing`
  const { metadata, ...tiers } = await answerOnOpening<Record<string, Fields>>(visitor(), paths.pricing, url)
  expect(metadata).toMatchObject({ defaultTrialPeriod: expect.any(Number) })
  expect(Object.keys(tiers)).toEqual(['free', 'basic', 'pro'])
  for (const tier of Object.values(tiers)) expect(fieldsOf(tier)).toMatchObject(TIER_FIELDS)
})

const TIER_FIELDS = {
  display: ['badge', 'color', 'description', 'features', 'name', 'popular'],
  billing: ['currency', 'monthlyPrice', 'trialPeriod', 'yearlyDiscount', 'yearlyPrice'],
  rateLimits: [
    'burstLimit',
    'concurrentRequests',
    'requestsPerDay',
    'requestsPerHour',
    'requestsPerMinute',
    'requestsPerMonth',
    'streamConnections',
    'streamMessagesPerSecond',
  ],
  features: [
    'advancedAnalytics',
    'apiAccess',
    'apiKeyManagement',
    'basicAnalytics',
    'customReports',
    'dataExport',
    'dedicatedSupport',
    'emailSupport',
    'historicalData',
    'prioritySupport',
    'realTimeData',
    'webhooks',
  ],
  support: ['availability', 'channels', 'responseTime'],
}

function fieldsOf(tier: Fields): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(tier).map(([part, value]) => [part, Object.keys(value as object).toSorted()]),
  )
}
