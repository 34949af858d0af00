import { createServer } from 'vite'
import { join } from 'node:path'
import { REPOSITORY } from '../folders.ts'

// Serves the pages from their sources, for npm run dev. Settings: PORT, HOST, GATEWAY_PORT.
const { PORT = '3000', HOST = '127.0.0.1', GATEWAY_PORT = '3001' } = process.env
const web = join(REPOSITORY, 'web')

const server = await createServer({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  server: { host: HOST, port: Number(PORT), strictPort: true },
  plugins: [
    {
      name: 'gateway-origin',
      transformIndexHtml: (html) =>
        html.replace(/(<meta name="tapeline-api" content=")[^"]*/, `$1http://localhost:${GATEWAY_PORT}`),
    },
    {
      name: 'readyz',
      configureServer: ({ middlewares }) => {
        middlewares.use('/readyz', (_request, response) => response.end('ok\n'))
      },
    },
  ],
})
await server.listen()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => void server.close().then(() => process.exit(0)))
