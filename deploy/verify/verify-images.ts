import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { type Confined, tryConfined } from './confined-container.ts'
import { type Docker, findDocker } from './docker.ts'
import { buildImage, describeImage, type Image, listStrayFiles, NODE_IMAGE, WEB_IMAGE } from './images.ts'
import { writeSbom } from './sbom.ts'
import { verify, type Verdicts } from './verdicts.ts'

// npm run verify:images [-- node | web]: builds the images, inspects them, and runs them with the restrictions of
// production.
const SECRETS_TIMEOUT_MS = 60_000

await verify(async (verdicts) => {
  const docker = await findDocker()
  const secrets = mkdtempSync(join(tmpdir(), 'tapeline-secrets-'))
  try {
    const result = await runOnce(process.execPath, [join(REPOSITORY, 'deploy', 'make-secrets.ts'), secrets], {
      timeoutMs: SECRETS_TIMEOUT_MS,
    })
    if (result.code !== 0) throw new Error(result.output)
    if (isSelected('node') && (await isGood(verdicts, docker, NODE_IMAGE))) {
      for (const [name, confined] of nodeProcesses(secrets)) {
        await verdicts.check(`${name}: read-only, without rights, ends by SIGTERM`, () => tryConfined(docker, confined))
      }
      await verdicts.check('npm sbom names everything in the image', () => writeSbom(docker, NODE_IMAGE))
    }
    if (isSelected('web') && (await isGood(verdicts, docker, WEB_IMAGE))) {
      await verdicts.check('web: read-only, without rights, ends by SIGTERM', () =>
        tryConfined(docker, {
          tag: WEB_IMAGE.tag,
          options: ['--add-host', 'gateway:127.0.0.1'],
          readyPath: '/login',
          port: 8080,
        }),
      )
    }
  } finally {
    rmSync(secrets, { recursive: true, force: true })
  }
})

function isSelected(name: string): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.includes(name)
}

async function isGood({ check }: Verdicts, docker: Docker, image: Image): Promise<boolean> {
  if (!(await check(`${image.tag} is built from ${image.file}`, () => buildImage(docker, image)))) return false
  await check(`${image.tag}: user, labels, health check, size`, () => describeImage(docker, image))
  await check(`${image.tag} holds no tests and no secrets`, async () => {
    const found = await listStrayFiles(docker, image)
    if (found.length > 0) throw new Error(found.slice(0, 10).join('\n'))
  })
  return true
}

/** None of their servers is available: they must report alive, keep retrying, and exit on SIGTERM. */
function nodeProcesses(secrets: string): [string, Confined][] {
  const service = (name: string, main: string, port: number): [string, Confined] => {
    const file = `/run/secrets/${name}.env`
    const environment = Object.entries({
      PORT: port,
      ADMIN_PORT: 3002,
      HOST: '0.0.0.0',
      JOURNAL_DIR: '/journal',
      SNAPSHOT_DIR: '/tmp/snapshots',
      IDENTITY_URL: 'http://identity:3011',
      API_KEY_URL: 'http://api-key:3012',
      AUDIT_URL: 'http://audit:3013',
      CONFIG_URL: 'http://config:3014',
      MARKET_DATA_URL: 'http://market-data:3015',
      GATEWAY_URL: 'http://gateway:3001',
      WEB_ORIGIN: 'http://localhost:3000',
      MAIL_FROM: 'Tapeline <no-reply@tapeline.example>',
      OIDC_ISSUER: 'https://accounts.google.com',
      OIDC_CLIENT_ID: '',
    }).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    const options = ['--volume', `${join(secrets, `${name}.env`)}:${file}:ro`, '--volume', '/journal', ...environment]
    const command = ['node', `--env-file=${file}`, main]
    return [name, { tag: NODE_IMAGE.tag, options, command, readyPath: '/livez', port }]
  }
  const mail: Confined = {
    tag: NODE_IMAGE.tag,
    options: ['--volume', '/mail', '--env', 'MAIL_DIR=/mail', '--env', 'HOST=0.0.0.0'],
    command: ['node', 'deploy/local/mail/mail-server.ts'],
    readyPath: '/readyz',
    port: 3026,
  }
  return [
    ['mail', mail],
    service('gateway', 'gateway/src/main.ts', 3001),
    service('identity', 'services/identity/src/main.ts', 3011),
    service('api-key', 'services/api-key/src/main.ts', 3012),
    service('audit', 'services/audit/src/main.ts', 3013),
    service('config', 'services/config/src/main.ts', 3014),
    service('market-data', 'services/market-data/src/main.ts', 3015),
  ]
}
