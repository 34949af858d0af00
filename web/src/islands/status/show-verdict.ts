import { partOf } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'
import type { Verdict } from './evaluate-targets.ts'

/** The verdict beside a figure; a figure that is "not measured" has none. */
export function showVerdict(
  root: HTMLElement,
  name: string,
  { verdict, words }: { verdict: Verdict; words: Words },
): void {
  const part = partOf(root, `${name}-verdict`)
  if (part === undefined) return
  part.hidden = verdict === 'not_measured'
  part.className = `state state-${verdict === 'kept' ? 'ok' : 'bad'}`
  part.textContent = words(verdict)
}
