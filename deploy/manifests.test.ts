import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, '..', ...path), 'utf8')

test.each([
  ['k8s', read('k8s', 'base', 'settings.env')],
  ['compose', read('docker-compose.yml')],
])('in %s the gateway trusts the address that the web states, and links in mails lead to the pages', (_where, text) => {
  for (const name of ['TRUST_PROXY', 'WEB_ORIGIN', 'MAIL_FROM']) {
    expect(text).toMatch(new RegExp(`^ *${name}[:=] ?\\S`, 'm'))
  }
})

test('the web server trusts forwarded addresses only from proxies that the operator named', () => {
  const active = read('deploy', 'nginx.conf').replaceAll(/#.*$/gm, '')
  expect(active).not.toContain('set_real_ip_from')
  expect(active).toMatch(/real_ip_header X-Forwarded-For;[^}]*include \/etc\/nginx\/trusted-proxies\/\*\.conf;/)
  expect(active).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
  expect(read('k8s', 'base', 'ingress.conf').replaceAll(/#.*$/gm, '').trim()).toBe('')
})
