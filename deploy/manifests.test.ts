import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICES } from './local/secrets.ts'

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, '..', ...path), 'utf8')

test('after its migration config gets the tiers and flags without which no gateway is ready, and no demo account', () => {
  const migrate = read('k8s', 'base', 'migrate.yaml')
  const commands = [...migrate.matchAll(/command: \[node, (\S+)\]/g)].map(([, file]) => file)
  expect(commands.indexOf('services/config/src/seed.ts')).toBe(commands.indexOf('services/config/src/migrate.ts') + 1)
  expect(migrate).not.toContain('name: DEMO_ACCOUNTS_FILE')
})

test.each(SERVICES)('every process of %s has a port at which it is asked whether it is alive', (service) => {
  const deployments = read('k8s', 'base', `${service}.yaml`)
    .split(/^---$/m)
    .filter((document) => document.includes('kind: Deployment'))
  expect(deployments).toHaveLength(2)
  for (const deployment of deployments) {
    const port = /\{ name: PORT, value: '(\d+)' \}/.exec(deployment)?.[1]
    expect(deployment).toContain(`ports: [{ name: http, containerPort: ${port} }]`)
  }
})

test('the probes are those of callers and workers alike', () => {
  const [, target] =
    /path: probes\.patch\.yaml\n\s+target: \{ kind: Deployment, labelSelector: '([^']+)' \}/.exec(
      read('k8s', 'base', 'kustomization.yaml'),
    ) ?? []
  expect(target).toBe('app.kubernetes.io/component in (http, worker)')
  expect(read('k8s', 'base', 'probes.patch.yaml')).toMatch(/livenessProbe: \{ httpGet: \{ path: \/livez, port: http \}/)
})

test.each([
  ['k8s', read('k8s', 'base', 'settings.yaml')],
  ['compose', read('docker-compose.yml')],
])('in %s the gateway believes the web on addresses, and links in mails lead to the pages', (_where, text) => {
  for (const name of ['TRUST_PROXY', 'WEB_ORIGIN', 'MAIL_FROM'])
    expect(text).toMatch(new RegExp(`^ +${name}: \\S`, 'm'))
})

test('in compose mail goes to a server that is there', () => {
  const compose = read('docker-compose.yml')
  const [, host, port] = /SMTP_URL: '\$\{SMTP_URL:-smtp:\/\/(\w+):(\d+)\}'/.exec(compose) ?? []
  expect(compose).toMatch(new RegExp(`^  ${host}:\\n(    .*\\n)*    environment: \\{[^}]*SMTP_PORT: ${port}\\b`, 'm'))
})

test('the web believes nobody on an address whom the operator has not named', () => {
  const active = read('deploy', 'nginx.conf').replaceAll(/#.*$/gm, '')
  expect(active).not.toContain('set_real_ip_from')
  expect(active).toMatch(/real_ip_header X-Forwarded-For;[^}]*include \/etc\/nginx\/trusted-proxies\/\*\.conf;/)
  expect(active).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
})
