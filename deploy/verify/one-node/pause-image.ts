import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Inside } from './inside.ts'

export const PAUSE_IMAGE = 'docker.io/tapeline/pause:dev'

/** The pause program of every pod, as an image with one layer. */
export async function makePauseImage({ dir, programs, run }: Inside): Promise<string> {
  const folder = join(dir, 'pause-image')
  mkdirSync(join(folder, 'root'), { recursive: true })
  copyFileSync(programs.pause, join(folder, 'root', 'pause'))
  chmodSync(join(folder, 'root', 'pause'), 0o755)
  await run(programs.tar, [
    '-C',
    join(folder, 'root'),
    '--owner=0',
    '--group=0',
    '-cf',
    join(folder, 'layer.tar'),
    'pause',
  ])
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'layer.tar')))
    .digest('hex')
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Entrypoint: ['/pause'], User: '65535:65535' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  }
  const manifest = [{ Config: 'config.json', RepoTags: [PAUSE_IMAGE], Layers: ['layer.tar'] }]
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const tar = join(dir, 'pause.tar')
  await run(programs.tar, ['-C', folder, '-cf', tar, 'config.json', 'manifest.json', 'layer.tar'])
  return tar
}
