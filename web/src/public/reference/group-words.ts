import { t } from '@lingui/core/macro'
import { readOperationWords } from './reference-words.ts'
import { operations } from './read-operations.ts'

export function groupTitle(group: string): string {
  return readOperationWords().get(group)?.title ?? group
}

/** Description of the group for search results: the names of its calls. */
export function groupDescription(group: string): string {
  const words = readOperationWords()
  const names = operations.filter((one) => one.group === group).map(({ id }) => words.get(id)?.title ?? id)
  return `${t`Parameters, response and errors of each call`}: ${names.join(', ')}.`
}
