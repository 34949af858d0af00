import { ImportProblem } from './import-problem.ts'
import type { Kind } from './kind.ts'
import type { Head } from './sources/read-head.ts'

/**
 * The kind of a file by its content. A file that is not of the requested kind is rejected before anything is stored.
 * @throws ImportProblem
 */
export function recognizeKind(kinds: readonly Kind[], requested: Kind | undefined, file: string, head: Head): Kind {
  const like = kinds.filter((kind) => kind.isLike(head))
  if (requested !== undefined) {
    if (requested.isLike(head)) return requested
    const found = like.map(describe).join(' or ') || `none of the ${kinds.length} kinds that can be imported`
    throw new ImportProblem(file, undefined, `is not ${requested.name}: it looks like ${found}. Nothing was stored.`)
  }
  const [kind] = like
  if (kind === undefined) {
    throw new ImportProblem(
      file,
      undefined,
      `is not a file that can be imported: ${namesOf(kinds)}. Other columns need --mapping <file>.`,
    )
  }
  if (like.length > 1) {
    throw new ImportProblem(file, undefined, `could be ${like.map(describe).join(' or ')}: name the kind`)
  }
  return kind
}

function describe({ name, description }: Kind): string {
  return `${name} (${description})`
}

function namesOf(kinds: readonly Kind[]): string {
  return kinds.map(({ name }) => name).join(', ')
}
