import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'

/** For comparison: a proxy without authentication, limits and counting. */
const app = Fastify({ logger: false })
await app.register(httpProxy, { upstream: process.env['UPSTREAM_URL'] ?? '' })
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
// Exits with its parent process.
process.on('disconnect', () => process.exit())
