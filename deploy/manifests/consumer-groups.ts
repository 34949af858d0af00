import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

/** The groups in which a service's source reads topics: `group: 'audit'`, or a constant of that name. */
export function readConsumerGroups(app: string): Set<string> {
  const files = globSync('**/*.ts', { cwd: join(REPOSITORY, 'services', app, 'src') })
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(REPOSITORY, 'services', app, 'src', file), 'utf8'))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\b(?:group:|GROUP =) '([a-z-]+)'/g)].map(([, name = '']) => name)),
  )
}
