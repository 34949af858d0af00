import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

const OBSERVABILITY = join(import.meta.dirname, '..', '..', 'deploy', 'observability')
const MINUTES = { m: 1, h: 60, d: 1_440 } as const
const EVERY_SECOND = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' }

type Rules = { groups: { rules: { expr: string; for?: string }[] }[] }
type PrometheusFile = {
  global: object
  rule_files: string[]
  alerting: object
  scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
}
type AlertmanagerFile = { route: object; receivers: { name: string }[] }

/** `product`: as installed. `shortened`: every window and every `for` divided by 60, and processes scraped every second. */
export type Durations = 'product' | 'shortened'

export function rulesWith(durations: Durations, file: string): string {
  return durations === 'shortened' ? shortenedRules(file) : readFileSync(join(OBSERVABILITY, file), 'utf8')
}

/** The rules with every window and every `for` divided by 60, so that minutes of a fault pass in seconds. */
export function shortenedRules(file: string): string {
  const rules = parse(readFileSync(join(OBSERVABILITY, file), 'utf8')) as Rules
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    rule.expr = rule.expr.replaceAll(/\[(\d+[mhd])\]/g, (_all, duration: string) => `[${inSixtieths(duration)}]`)
    if (rule.for !== undefined) rule.for = inSixtieths(rule.for)
  }
  return stringify(rules)
}

/** `5m` as `5s`, `1h` as `60s`. */
function inSixtieths(duration: string): string {
  const [, count = '', unit = 'm'] = /^(\d+)([mhd])$/.exec(duration) ?? []
  return `${Number(count) * MINUTES[unit as keyof typeof MINUTES]}s`
}

/** prometheus.yml with the addresses of running processes, by job. */
export function prometheusFile(options: {
  targets: Record<string, string>
  ruleFiles: string[]
  alertmanager: string
  durations: Durations
}): string {
  const file = parse(readFileSync(join(OBSERVABILITY, 'prometheus.yml'), 'utf8')) as PrometheusFile
  return stringify({
    ...file,
    global: options.durations === 'product' ? file.global : EVERY_SECOND,
    rule_files: options.ruleFiles,
    alerting: { alertmanagers: [{ static_configs: [{ targets: [options.alertmanager] }] }] },
    scrape_configs: file.scrape_configs.map(({ job_name: job }) => {
      const target = options.targets[job]
      if (target === undefined) throw new Error(`prometheus.yml scrapes ${job}, which does not run`)
      return { job_name: job, static_configs: [{ targets: [target] }] }
    }),
  })
}

/** alertmanager.yml with a webhook as the receiver; its inhibitions and groups are kept. */
export function alertmanagerFile(webhook: string, durations: Durations): string {
  const file = parse(readFileSync(join(OBSERVABILITY, 'alertmanager.yml'), 'utf8')) as AlertmanagerFile
  const receivers = file.receivers.map((one) => ({ ...one, webhook_configs: [{ url: webhook, send_resolved: true }] }))
  const waits = durations === 'product' ? {} : { group_wait: '1s', group_interval: '1s' }
  return stringify({ ...file, route: { ...file.route, ...waits }, receivers })
}
