import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'

/** The yardstick: a proxy that authenticates, limits and counts nothing. */
const app = Fastify({ logger: false })
await app.register(httpProxy, { upstream: process.env['UPSTREAM_URL'] ?? '' })
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
// Exits with its parent process.
process.on('disconnect', () => process.exit())
