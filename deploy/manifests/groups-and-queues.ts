import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

/** The groups in which a service's source reads topics: `group: 'audit'`, or a constant of that name. */
export function readConsumerGroups(app: string): Set<string> {
  return new Set(matchesOf(app, /\b(?:group:|GROUP =) '([a-z-]+)'/g))
}

/**
 * The job queues of a service, from its source: the queue of its schedules, and one for each delivery, which is named
 * (`name: `${queue}-webhooks``) or an entry of a record of deliveries (`mail: { what: 'mail', …`).
 */
export function readQueues(app: string): Set<string> {
  const deliveries = [
    ...matchesOf(app, /\bname: `\$\{queue\}-([a-z-]+)`/g),
    ...matchesOf(app, /\b([a-z]+): \{\s+what: '/g),
  ]
  return new Set([app, ...deliveries.map((name) => `${app}-${name}`)])
}

function matchesOf(app: string, pattern: RegExp): string[] {
  const folder = join(REPOSITORY, 'services', app, 'src')
  return globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)])
    .map(([, name = '']) => name)
}
