import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { processFields, serviceFields } from '@tapeline/service/read-config'
import { REPOSITORY } from '../local/folders.ts'

export type ProcessFields = { all: Set<string>; required: string[] }

/** A field of a configuration schema and its text up to the next field; without a default it is required. */
const FIELD = /^ {2}([A-Z][A-Z0-9_]+): ((?:.|\n)*?)(?=^ {2}[A-Z/.}]|^\}|$(?![\s\S]))/gm

/** Environment variables of a process, parsed from its config.ts: deploy imports none of the processes. */
export function readProcessFields(app: string): ProcessFields {
  const own = sourcesOf(app).flatMap((text) =>
    [...text.matchAll(FIELD)].map(([, name = '', definition = '']) => ({ name, definition })),
  )
  const inherited: Record<string, object> = app === 'gateway' ? processFields : serviceFields
  const required = [
    ...Object.entries(inherited)
      .filter(([, schema]) => !('default' in schema))
      .map(([name]) => name),
    ...own.filter(({ definition }) => !/default:|perMinute\(|serviceUrl\(/.test(definition)).map(({ name }) => name),
  ]
  return { all: new Set([...Object.keys(inherited), ...own.map(({ name }) => name)]), required }
}

function sourcesOf(app: string): string[] {
  const folder = join(REPOSITORY, ...(app === 'gateway' ? ['gateway'] : ['services', app]), 'src')
  return ['config.ts', 'notice-config.ts']
    .map((file) => join(folder, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
}
