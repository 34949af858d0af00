import Fastify from 'fastify'

/** The lower bound: the cost of Fastify with a constant answer. */
const app = Fastify({ logger: false })
app.get('/*', () => ({ status: 'ok' }))
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
// Exits with its parent process.
process.on('disconnect', () => process.exit())
