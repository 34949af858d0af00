import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, mkdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { waitUntil } from '../wait-until.ts'
import type { LakeConfig } from '@tapeline/objects/open-store'

const REPOSITORY = resolve(import.meta.dirname, '..', '..', '..', '..')
const BUCKET = 'lake'

export const WITHOUT_S3_SERVER = 'versitygw is not installed: npm run setup:tools -- lake'

/** Path of versitygw, if `npm run setup:tools -- lake` built it or it is installed. */
export function findS3Server(): string | undefined {
  const tools = process.env.TAPELINE_TOOLS_DIR || join(REPOSITORY, '.tapeline', 'tools')
  const folders = [tools, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'versitygw')).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export type S3Server = {
  config: LakeConfig
  folder: string
  pid: () => number | undefined
  /** Ends the process; the objects stay. */
  kill: () => Promise<void>
  /** Starts it again at the same address. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** A real S3 server over a temporary folder, with one bucket; `folder` may contain existing objects. */
export async function startS3Server(program: string, objects?: string): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-s3-'))
  await mkdir(join(folder, 'data', BUCKET, 'some'), { recursive: true })
  if (objects !== undefined) await symlink(resolve(objects), join(folder, 'data', BUCKET, 'some', 'prefix'))
  const port = await takeFreePort()
  const [accessKey, secretKey] = ['tapeline', 'a-secret-of-the-test']
  let child: ChildProcess
  async function restart(): Promise<void> {
    child = spawn(program, ['--port', `127.0.0.1:${port}`, 'posix', join(folder, 'data')], {
      stdio: 'ignore',
      env: { ...process.env, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    })
    await waitUntil('the S3 server answers', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
      return answer !== undefined
    })
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await ended
  }
  await restart()
  return {
    pid: () => child.pid,
    kill,
    restart,
    folder: join(folder, 'data', BUCKET),
    config: {
      LAKE_URL: `s3://${BUCKET}/some/prefix?endpoint=http://127.0.0.1:${port}`,
      LAKE_ACCESS_KEY_ID: accessKey,
      LAKE_SECRET_ACCESS_KEY: secretKey,
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
