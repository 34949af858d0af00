import type { IncomingMessage } from 'node:http'
import { chooseLanguage, type Language, LANGUAGE_COOKIE, languageInAddress } from '@tapeline/contracts/language'
import { API_ORIGIN, SITE_ORIGIN } from '@tapeline/contracts/site'

const CACHE_SECONDS = 365 * 24 * 3_600
const HOST = /^[\w.:[\]-]+$/

export type RequestTarget = { path: string; search: string; language: Language }

export function targetOf({ url = '/', headers }: IncomingMessage): RequestTarget {
  const at = url.indexOf('?')
  const search = at === -1 ? '' : url.slice(at)
  const path = at === -1 ? url : url.slice(0, at)
  const { cookie, 'accept-language': acceptLanguage } = headers
  return { path, search, language: chooseLanguage({ search, cookie, acceptLanguage }) }
}

/** Path of the built page of a URL, in the reader's language. */
export function pageFile({ path, language }: RequestTarget): string {
  return `/pages/${language}${path === '/' ? '/index' : path}.html`
}

/** Caches keep one page per language; a language chosen in the URL is stored in a cookie. */
export function languageHeaders({ search }: RequestTarget): Record<string, string> {
  const chosen = languageInAddress(search)
  return {
    vary: 'accept-encoding, accept-language, cookie',
    ...(chosen === undefined
      ? {}
      : { 'set-cookie': `${LANGUAGE_COOKIE}=${chosen}; Path=/; Max-Age=${CACHE_SECONDS}; SameSite=Lax` }),
  }
}

/** Replaces the placeholders of the origins in a built page by those of the request. */
export function withOrigins(text: string, request: IncomingMessage, apiOrigin: string): string {
  const { host = '' } = request.headers
  const site = `http://${HOST.test(host) ? host : 'localhost'}`
  return text.replaceAll(SITE_ORIGIN, site).replaceAll(API_ORIGIN, apiOrigin)
}
