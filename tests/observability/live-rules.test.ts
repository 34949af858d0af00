import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { alertmanagerFile, prometheusFile, rulesWith, shortenedRules } from './live-rules.ts'

const JOBS = ['gateway', 'identity', 'api-key', 'audit', 'config', 'market-data']
const targets = Object.fromEntries(JOBS.map((job, n) => [job, `127.0.0.1:${4_000 + n}`]))

test('windows and `for` durations are divided by 60, thresholds and names are kept', () => {
  const text = shortenedRules('promises.yml') + shortenedRules('state.yml')
  expect(text).not.toMatch(/\[\d+[mhd]\]|for: \d+[mhd]/)
  expect(text).toMatch(/alert: DataApiErrorsFast/)
  expect(text).toMatch(/14\.4 \* 0\.001/)
  expect(text).toContain('[4320s]')
  const { groups } = parse(shortenedRules('state.yml')) as { groups: { rules: object[] }[] }
  expect(groups[0]?.rules[0]).toMatchObject({ alert: 'GatewayDown', for: '1s' })
})

test('every job of prometheus.yml is scraped at its running process', () => {
  const options = { targets, ruleFiles: ['/rules.yml'], alertmanager: '127.0.0.1:9', durations: 'shortened' as const }
  const file = parse(prometheusFile(options)) as { scrape_configs: { job_name: string; static_configs: object[] }[] }
  expect(file.scrape_configs.map(({ job_name: job }) => job)).toEqual(JOBS)
  expect(file.scrape_configs[0]?.static_configs).toEqual([{ targets: ['127.0.0.1:4000'] }])
  expect(() => prometheusFile({ ...options, targets: {} })).toThrow('scrapes gateway, which does not run')
})

test('alerts reach the webhook through the routes and inhibitions of the product', () => {
  const file = parse(alertmanagerFile('http://127.0.0.1:5/', 'shortened')) as Record<string, unknown>
  const webhook = { url: 'http://127.0.0.1:5/', send_resolved: true }
  expect(file['receivers']).toMatchObject([{ webhook_configs: [webhook] }])
  expect(file['inhibit_rules']).toHaveLength(1)
})

test("the product's durations are those of its files", () => {
  expect(rulesWith('product', 'state.yml')).toMatch(/alert: GatewayDown[\s\S]*?for: 1m/)
  const options = { targets, ruleFiles: ['/rules.yml'], alertmanager: '127.0.0.1:9', durations: 'product' as const }
  expect(parse(prometheusFile(options))).toMatchObject({ global: { scrape_interval: '15s' } })
  expect(parse(alertmanagerFile('http://127.0.0.1:5/', 'product'))).toMatchObject({ route: { group_wait: '10s' } })
})
