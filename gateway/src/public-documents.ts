import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyContextConfig } from 'fastify'
import type { App } from './app.ts'
import { exchangeOf } from './exchange.ts'

export type PublicDocumentsOptions = {
  /** Origin of the pages; undefined: the gateway is used without them. */
  site: string | undefined
  /** A URI, `mailto:` or `https:`; empty: the site's contact page. */
  securityContact: string
  now: () => number
  config: FastifyContextConfig
}

const OPENAPI_FILE = join(import.meta.dirname, '..', 'golden', 'openapi.json')
const CACHED = ['cache-control', 'public, max-age=3600']
const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year: a file that is no longer served goes stale in time. */
const VALID_DAYS = 180

/** What is public about the API itself: its OpenAPI document, and where to report a vulnerability (RFC 9116). */
export function addPublicDocuments(app: App, { site, securityContact, now, config }: PublicDocumentsOptions): void {
  const document = JSON.stringify(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')))
  app.get('/openapi.json', { config }, async (request, reply) => {
    reply.hijack()
    exchangeOf(request.raw)?.answer(200, ['content-type', 'application/json', ...CACHED], document)
  })
  const contact = securityContact === '' && site !== undefined ? `${site}/contact` : securityContact
  if (contact === '') return
  app.get('/.well-known/security.txt', { config }, async (request, reply) => {
    reply.hijack()
    const text = securityText(contact, site, now())
    exchangeOf(request.raw)?.answer(200, ['content-type', 'text/plain; charset=utf-8', ...CACHED], text)
  })
}

function securityText(contact: string, site: string | undefined, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
  const canonical = site === undefined ? '' : `Canonical: ${site}/.well-known/security.txt\n`
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en, es, fr\n${canonical}`
}
