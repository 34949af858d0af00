import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { findTool } from '../tools/find-tool.ts'
import { type Composition, openComposition } from './composition.ts'
import { findDocker } from './docker.ts'
import { demoKeyIn, smoke, takeTour } from './tour-of-containers.ts'
import { verify, type Verdicts } from './verdicts.ts'

// npm run verify:compose: builds and starts docker-compose.yml, runs the tour, and removes it with its volumes.
const UP_TIMEOUT_MS = 1_200_000
const BUILD_TIMEOUT_MS = 3_600_000
const SECRETS_TIMEOUT_MS = 60_000
const SECRETS_DIR = join(REPOSITORY, 'deploy', 'secrets')

await verify(async (verdicts) => {
  const docker = await findDocker()
  const composition = await openComposition(docker)
  const result = await runOnce(process.execPath, [join(REPOSITORY, 'deploy', 'make-secrets.ts')], {
    timeoutMs: SECRETS_TIMEOUT_MS,
  })
  if (result.code !== 0) throw new Error(result.output)
  try {
    await walkThrough(verdicts, composition)
  } finally {
    await verdicts.check('remove containers and volumes', async () => {
      await composition.run(['--profile', '*', 'down', '--volumes', '--remove-orphans'])
    })
  }
})

async function walkThrough({ check, skip }: Verdicts, { run, ports }: Composition): Promise<void> {
  const isBuilt = await check('the images are built', async () => void (await run(['build'], BUILD_TIMEOUT_MS)))
  if (!isBuilt) return
  const isUp = await check('everything is healthy', async () => {
    await run(['up', '--detach', '--wait', '--pull', 'never'], UP_TIMEOUT_MS).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await run(['ps', '--all'])}\n${await run(['logs', '--tail', '15'])}`)
    })
  })
  if (!isUp) return
  const here = (port: number) => `http://127.0.0.1:${port}`
  const reached = {
    web: here(ports.WEB_PORT),
    gateway: here(ports.GATEWAY_PORT),
    mail: here(ports.MAIL_PORT),
    postgres: `127.0.0.1:${ports.POSTGRES_PORT}`,
    redis: `127.0.0.1:${ports.REDIS_PORT}`,
    secretsDir: SECRETS_DIR,
  }
  await check('the pages are served', () => readPages(reached.web))
  await check('the tour', () => takeTour(reached))
  if (findTool('k6') === undefined) skip('k6 smoke test', 'there is no k6: npm run setup:tools')
  else {
    await check('k6 smoke test', async () => {
      const cat = ['run', '--rm', '--no-deps', '--entrypoint', 'cat', 'prepare', '/tapeline/demo-accounts.json']
      return smoke(reached.gateway, demoKeyIn(await run(cat)))
    })
  }
  await check('started again, everything is as it was', async () => {
    await run(['restart', 'gateway', 'redis-limits', 'kafka'])
    await run(['up', '--detach', '--wait', '--pull', 'never'], UP_TIMEOUT_MS)
  })
}

async function readPages(web: string): Promise<string> {
  const paths = ['/', '/pricing', '/login', '/docs', '/status', '/openapi.json', '/llms.txt']
  const answers = await Promise.all(paths.map(async (path) => [path, await fetch(`${web}${path}`)] as const))
  const wrong = answers.filter(([, { status }]) => status !== 200).map(([path, { status }]) => `${path}: ${status}`)
  const bare = answers.filter(([, { headers }]) => !headers.get('content-security-policy')).map(([path]) => path)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  if (bare.length > 0) throw new Error(`without a content-security-policy: ${bare.join(', ')}`)
  return paths.join(' ')
}
