import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyContextConfig } from 'fastify'
import type { App } from './app.ts'
import { routeNotFound } from '../problems/problem.ts'
import { ownPaths } from '../routing/route-table.ts'
import { contextOf } from './request-context.ts'

export type PublicDocumentsOptions = {
  /** Origin of the pages; undefined: the gateway is used without them. */
  site: string | undefined
  /** A URI, `mailto:` or `https:`; empty: the site's contact page. */
  securityContact: string
  now: () => number
  config: FastifyContextConfig
}

const OPENAPI_FILE = join(import.meta.dirname, '..', '..', 'golden', 'openapi.json')
const CACHED = ['cache-control', 'public, max-age=3600']
const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year: a file that is no longer served goes stale in time. */
const VALID_DAYS = 180
const CODE = /^[a-z0-9_.]{1,80}$/

/** The OpenAPI document, the contact for vulnerability reports (RFC 9116), and the pages that a problem's `type` names. */
export function addPublicDocuments(app: App, { site, securityContact, now, config }: PublicDocumentsOptions): void {
  const document = JSON.stringify(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')))
  app.get(ownPaths.openApi, { config }, async (request, reply) => {
    reply.hijack()
    contextOf(request.raw)?.response.send(200, ['content-type', 'application/json', ...CACHED], document)
  })
  if (site !== undefined) addErrorPages(app, site, config)
  const contact = securityContact === '' && site !== undefined ? `${site}/contact` : securityContact
  if (contact === '') return
  app.get(ownPaths.securityText, { config }, async (request, reply) => {
    reply.hijack()
    const text = securityText(contact, site, now())
    contextOf(request.raw)?.response.send(200, ['content-type', 'text/plain; charset=utf-8', ...CACHED], text)
  })
}

/** The documentation of an error code is a page of the site. */
function addErrorPages(app: App, site: string, config: FastifyContextConfig): void {
  app.get<{ Params: { code: string } }>(ownPaths.errorPage, { config }, async (request, reply) => {
    reply.hijack()
    const { code } = request.params
    const response = contextOf(request.raw)?.response
    const location = site + ownPaths.errorPage.replace(':code', code)
    if (CODE.test(code)) response?.send(302, ['location', location, 'cache-control', 'no-store'], '')
    else response?.sendProblem(routeNotFound)
  })
}

function securityText(contact: string, site: string | undefined, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
  const canonical = site === undefined ? '' : `Canonical: ${site}${ownPaths.securityText}\n`
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en, es, fr\n${canonical}`
}
