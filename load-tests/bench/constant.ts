import Fastify from 'fastify'

/** The floor: what Fastify costs when it only answers. */
const app = Fastify({ logger: false })
app.get('/*', () => ({ status: 'ok' }))
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
// Exits with its parent process.
process.on('disconnect', () => process.exit())
