import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { findImporters } from './find-importers.ts'
import { listFiles } from './source-files.ts'

const LINES_MIN = 40
const CODE = /\.tsx?$/
/** Parts of the product; the tools around it are lists of scripts. */
const PRODUCT = /^(?:gateway|services\/[^/]+|libs\/[^/]+|web|deploy\/local|deploy\/containers)\//
const NOT_PRODUCT = /\.(?:test|e2e|outage|fixture|d|config)\.tsx?$|\/(?:test|bench|e2e|migrations)\//
/** A list of a service or of the pages: what it imports is a verb or a page. */
const CONTENTS = /\/(?:routes|[a-z-]+-routes|jobs|subscriptions|main|start|deps|app|config|all|public-pages)\.tsx?$/
/** SQL, a component and a hook each have a file of their own. */
const OWN_KIND = /-queries\.ts$|\.queries\.ts$|\.tsx$|\/use-[a-z-]+\.ts$/
/** Files with a concept of their own: one of a family, a Redis script, an algorithm covered by its importer's test. */
const DECLARED: ReadonlySet<string> = new Set([
  'deploy/local/servers/class-archive.ts',
  'deploy/local/web/site-pages.ts',
  'deploy/local/web/web-headers.ts',
  'gateway/src/http/access-check.ts',
  'gateway/src/http/report-limits.ts',
  'gateway/src/limiter/limiter-batch.ts',
  'gateway/src/proxy/request-head.ts',
  'gateway/src/proxy/service-answer.ts',
  'gateway/src/stream/event-boundary.ts',
  'gateway/src/stream/event-stream-transport.ts',
  'gateway/src/stream/frames.ts',
  'libs/service/src/trace-requests.ts',
  'libs/service/src/validator.ts',
  'services/api-key/src/run-admin-command.ts',
  'services/audit/src/erasure/erase-trail.ts',
  'services/audit/src/ingest/start-domain-consumer.ts',
  'services/audit/src/reports/time-zone-segments.ts',
  'services/audit/src/requests/explain-answer.ts',
  'services/audit/src/status/unknown-key.ts',
  'services/config/src/flags/seeded-flags.ts',
  'services/config/src/run-admin-command.ts',
  'services/identity/src/notices/notices-in-english.ts',
  'services/identity/src/notices/notices-in-french.ts',
  'services/identity/src/notices/notices-in-spanish.ts',
  'services/identity/src/sign-in-limits/sign-in-tries-scripts.ts',
  'services/market-data/src/bars/finality.ts',
  'services/market-data/src/book/events-of-book.ts',
  'services/market-data/src/importers/lean/new-york-midnight.ts',
  'services/market-data/src/importers/lean/quote-book.ts',
  'services/market-data/src/importers/mapped/mapped-instrument.ts',
  'services/market-data/src/importers/split-by-day.ts',
  'services/market-data/src/lake/encoding/passes.ts',
  'services/market-data/src/lake/encoding/row-digest.ts',
  'services/market-data/src/stream/book/quote-rows.ts',
  'web/prerender/stub-browser-globals.ts',
  'web/src/commands/bind-keys.ts',
  'web/src/layouts/notification-style.ts',
  'web/src/pages/api-keys/key-changes.ts',
  'web/src/pages/downloads/shown.ts',
  'web/src/pages/market/call/call-of.ts',
  'web/src/pages/market/instruments/day-figures.ts',
  'web/src/pages/market/instruments/find-instruments.ts',
  'web/src/pages/requests/answer-words.ts',
  'web/src/pages/requests/report-of-requests.ts',
  'web/src/pages/signup/password-strength.ts',
  'web/src/session/session-mark.ts',
  'web/src/settings/trusted-worker.ts',
])

/**
 * Short files that one file of the same folder imports: their code belongs in that file, unless it is a verb, a query
 * file, a component or hook, has a test of its own, or is declared above.
 */
export function findFragments(rootDir: string): BrokenInvariant[] {
  const sources = new Map(
    listFiles(rootDir)
      .filter((file) => CODE.test(file))
      .map((file) => [file, readFileSync(join(rootDir, file), 'utf8')] as const),
  )
  const importers = findImporters(sources)
  const hasTest = (file: string) =>
    sources.has(file.replace(CODE, '.test.ts')) || sources.has(file.replace(CODE, '.test.tsx'))
  const isExempt = (file: string) =>
    !PRODUCT.test(file) || NOT_PRODUCT.test(file) || OWN_KIND.test(file) || DECLARED.has(file) || hasTest(file)
  return [...sources].flatMap(([file, text]) => {
    const lines = text.trimEnd().split('\n').length
    const only = lines >= LINES_MIN || isExempt(file) ? undefined : onlyImporter(file, importers.get(file))
    if (only === undefined) return []
    return [{ file, message: `has ${lines} lines and only ${basename(only)} imports it: move its code there` }]
  })
}

/** The one file of the same folder that imports `file`, unless that file is a list of the service. */
function onlyImporter(file: string, importers: readonly string[] = []): string | undefined {
  const [only, ...others] = importers.filter((importer) => !/\.(?:test|e2e)\.tsx?$/.test(importer))
  if (only === undefined || others.length > 0) return undefined
  return dirname(only) !== dirname(file) || CONTENTS.test(only) ? undefined : only
}
