import { ErrorList } from './ErrorList.tsx'
import { OwnKey } from './OwnKey.tsx'
import type { Directive } from './parse-text.ts'

/** `::errors` and `::island own-key`; samples and answers are placed next to the prose. */
export function DocDirective({ kind, name }: Directive) {
  if (kind === 'errors') return <ErrorList />
  if (kind === 'island' && name === 'own-key') return <OwnKey />
  throw new Error(`There is nothing to draw for ::${kind} ${name}.`)
}
