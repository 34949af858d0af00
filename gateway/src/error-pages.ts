import { AppError } from '@tapeline/service/app-error'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { exchangeOf } from './exchange.ts'

const CODE = /^[a-z0-9_.]{1,80}$/

/** A problem's `type` is a page of the site: whoever asks here for it is led there. */
export function addErrorPages(app: App, site: string | undefined, config: FastifyContextConfig): void {
  if (site === undefined) return
  app.get<{ Params: { code: string } }>('/docs/errors/:code', { config }, async (request, reply) => {
    lead(request, reply, site)
  })
}

function lead(request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply, site: string): void {
  const { code } = request.params
  if (!CODE.test(code)) throw new AppError('request.route_not_found', 'There is no such route.')
  reply.hijack()
  exchangeOf(request.raw)?.answer(302, ['location', `${site}/docs/errors/${code}`, 'cache-control', 'no-store'], '')
}
