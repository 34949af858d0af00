import { Type } from 'typebox'
import { createServer, type Server } from '../src/create-server.ts'
import { type Pools, startServiceProcess } from '../src/process/start-service-process.ts'
import { readConfig, serviceFields } from '../src/read-config.ts'

const Config = Type.Object({ ...serviceFields, PORT: Type.Integer() })
const write = (line: string) => process.stdout.write(`${line}\n`)
/** SQLSTATE of the failure; null: the statement ended. */
async function sleep(pool: Pools['jobs']): Promise<string | null> {
  try {
    await pool.query(`select pg_sleep(${Number(process.env['STATEMENT_SECONDS'])})`)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
const fetchSnapshot = async () => ({ version: 1, epoch: 'one', flags: [], configs: {} })
let app: Server | undefined

await startServiceProcess(
  {
    name: 'config',
    schema: Config,
    config: readConfig(Config, process.env),
    settingsFrom: { fetchSnapshot: () => fetchSnapshot },
  },
  ({ now, pools }) => ({
    consumers: () => ({ isStuck: () => false, stop: () => write('consumers stopped') }),
    jobs: () => [{ name: 'sleep', cron: '* * * * * *', run: async () => write(`job: ${await sleep(pools.jobs)}`) }],
    async server(options) {
      app = await createServer({ ...options, name: 'config', now })
      app.get('/endless', { config: { access: 'open' } }, (_request, reply) => {
        reply.hijack()
        reply.raw.write('first part')
      })
      app.get('/sleep', { config: { access: 'open' } }, async () => ({ code: await sleep(pools.requests) }))
      return app
    },
  }),
)
const address = app?.server.address()
write(`port ${typeof address === 'object' ? address?.port : ''}`)
