import { join } from 'node:path'
import { StartProblem } from '../../local/start-problem.ts'
import { render } from '../../manifests/render.ts'
import { findDocker } from '../docker.ts'

const SAVE_TIMEOUT_MS = 1_200_000

/** Every image that the overlay names, from the engine of this machine. */
export async function saveImages(dir: string): Promise<string> {
  const names = namedImages()
  const docker = await findDocker()
  const absent = await Promise.all(names.map(async (name) => ((await isThere(docker, name)) ? [] : [name])))
  const missing = absent.flat()
  if (missing.length > 0) {
    throw new StartProblem(`The engine has no ${missing.join(', ')}.`, 'Build or pull them: k8s/README.md.')
  }
  const tar = join(dir, 'images.tar')
  await docker(['save', '--output', tar, ...names], { timeoutMs: SAVE_TIMEOUT_MS })
  return tar
}

export function namedImages(): string[] {
  const text = render('local')
  return [...new Set([...text.matchAll(/^\s+(?:- )?image: (\S+)$/gm)].map(([, name = '']) => name))].toSorted()
}

async function isThere(docker: Awaited<ReturnType<typeof findDocker>>, name: string): Promise<boolean> {
  return docker(['image', 'inspect', name]).then(
    () => true,
    () => false,
  )
}
