import { partOf } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'
import type { Verdict } from './evaluate-targets.ts'

/** Beside a figure, in words; a figure that says "not measured" itself has no verdict. */
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
