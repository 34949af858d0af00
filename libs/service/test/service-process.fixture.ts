import { Type } from 'typebox'
import { createServer, type Server } from '../src/create-server.ts'
import { startServiceProcess } from '../src/process/start-service-process.ts'
import { readConfig, serviceFields } from '../src/read-config.ts'

const Config = Type.Object({ ...serviceFields, PORT: Type.Integer() })
const write = (line: string) => process.stdout.write(`${line}\n`)
const fetchSnapshot = async () => ({ version: 1, epoch: 'one', flags: [], configs: {} })
let app: Server | undefined

await startServiceProcess(
  {
    name: 'config',
    schema: Config,
    config: readConfig(Config, process.env),
    settingsFrom: { fetchSnapshot: () => fetchSnapshot },
  },
  ({ now }) => ({
    consumers: () => ({ isStuck: () => false, stop: () => write('consumers stopped') }),
    jobs: () => [],
    async server(options) {
      app = await createServer({ ...options, name: 'config', now })
      app.get('/endless', { config: { access: 'open' } }, (_request, reply) => {
        reply.hijack()
        reply.raw.write('first part')
      })
      return app
    },
  }),
)
const address = app?.server.address()
write(`port ${typeof address === 'object' ? address?.port : ''}`)
