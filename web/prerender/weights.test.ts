import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtPages } from '@tapeline/testing/pages/built-pages'
import { beforeAll, expect, test } from 'vitest'
import { type Manifest, readManifest, withImports } from './manifest.ts'

const KB = 1_024
/** The pages may be built first, and another process may be building them. */
const BUILD_TIMEOUT_MS = 400_000
const ENTRY = 'index.html'
const DASHBOARD = 'src/layouts/DashboardLayout.tsx'
const AUTH = 'src/layouts/AuthLayout.tsx'
/** Each additional page adds about 0.2 KB: its route, its command and its texts. */
const FIRST_LOAD_MAX_KB = { [DASHBOARD]: 150, [AUTH]: 128 }
const CSS_MAX_KB = 12

let dist: string
let manifest: Manifest

beforeAll(async () => {
  dist = await builtPages()
  manifest = readManifest(dist)
}, BUILD_TIMEOUT_MS)

test.each([
  [AUTH, 'login/LoginPage'],
  [AUTH, 'signup/SignupPage'],
  [AUTH, 'reset-password/ResetPasswordPage'],
  [DASHBOARD, 'profile/ProfilePage'],
] as const)('the first load with %s and %s is within its budget', (layout, page) => {
  // Includes the tape next to the form.
  const beside = layout === AUTH ? ['src/layouts/PublicTrades.tsx'] : []
  const parts = withImports(manifest, [ENTRY, layout, `src/pages/${page}.tsx`, ...beside])
  expect(scriptKb(parts), 'script, KB').toBeLessThanOrEqual(FIRST_LOAD_MAX_KB[layout])
  expect(styleKb(parts), 'style, KB').toBeLessThanOrEqual(CSS_MAX_KB)
})

test.each([
  ['profile/ProfilePage', 15],
  ['api-keys/ApiKeysPage', 25],
  ['metrics/MetricsPage', 45],
  ['requests/RequestsPage', 45],
  ['settings/SettingsPage', 15],
  ['plan/PlanPage', 15],
  ['audit-trail/AuditTrailPage', 15],
  ['downloads/DownloadsPage', 15],
  ['service-keys/ServiceKeysPage', 25],
  ['webhooks/WebhooksPage', 15],
  ['market/MarketPage', 20],
  ['admin/AdminPage', 25],
])('from within the dashboard %s loads at most %i KB more', (page, maxKb) => {
  const loaded = withImports(manifest, [ENTRY, DASHBOARD])
  const parts = [...withImports(manifest, [`src/pages/${page}.tsx`])].filter((part) => !loaded.has(part))
  expect(scriptKb(parts)).toBeLessThanOrEqual(maxKb)
})

test('a page of the dashboard consists of few files', () => {
  expect(withImports(manifest, [ENTRY, DASHBOARD]).size).toBeLessThanOrEqual(8)
})

function scriptKb(parts: Iterable<string>): number {
  return [...parts].reduce((sum, part) => sum + packedKb(partOf(part).file), 0)
}

function styleKb(parts: Iterable<string>): number {
  const files = new Set([...parts].flatMap((part) => partOf(part).css ?? []))
  return [...files].reduce((sum, file) => sum + packedKb(file), 0)
}

function partOf(name: string): Manifest[string] {
  const part = manifest[name]
  if (part === undefined) throw new Error(`the build has no ${name}`)
  return part
}

function packedKb(file: string): number {
  return gzipSync(readFileSync(join(dist, file))).length / KB
}
