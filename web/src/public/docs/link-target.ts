import { paths } from '../../paths.ts'
import { operations } from '../reference/read-operations.ts'
import { referencePath } from '../reference/reference-path.ts'

/** How a text names a place: `page:docsLimits#headers`, `error:limit.minute_exceeded`, `operation:list-trades`. */
export function linkTarget(href: string): string {
  const at = href.indexOf(':')
  const scheme = href.slice(0, at)
  const name = href.slice(at + 1)
  if (scheme === 'page') return pageOf(name)
  if (scheme === 'error') return `${paths.docsErrors}/${name}`
  if (scheme === 'operation') return operationPath(name)
  throw new Error(`A text links to ${href}: say page:, error: or operation:.`)
}

function operationPath(id: string): string {
  const operation = operations.find((one) => one.id === id)
  if (operation === undefined)
    throw new Error(`A text links to the call ${id}, which the OpenAPI document does not have.`)
  return referencePath(operation.group, id)
}

const pages: Record<string, string> = paths

function pageOf(name: string): string {
  const [key = '', anchor] = name.split('#')
  const path = pages[key]
  if (path === undefined) throw new Error(`A text links to the page ${key}, which paths.ts does not have.`)
  return anchor === undefined ? path : `${path}#${anchor}`
}
