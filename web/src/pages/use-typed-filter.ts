import { useEffect, useRef, useState } from 'react'

/** Long enough to search for a word, not for each letter. */
const TYPED_FOR_MS = 250

/** Text of a search field that may differ from the URL. */
export type Draft = {
  text: string
  /** The user typed it a moment ago. */
  isTyping: boolean
  /** What the URL contained when the text was applied, and after that its own value. */
  address: string
}

type TypedFilter = {
  /** What the URL contains. */
  value: string
  /** Changes the URL. */
  onApply: (text: string) => void
  /** What the URL contains for a text; undefined for a text that is not applied. */
  addressOf?: (text: string) => string | undefined
}

/** The text of a search field: the field changes at once, the URL when typing pauses. */
export function useTypedFilter({ value, onApply, addressOf = unchanged }: TypedFilter) {
  const [draft, setDraft] = useState<Draft>()
  const latest = useRef({ value, onApply, addressOf })
  useEffect(() => {
    latest.current = { value, onApply, addressOf }
  })
  const followed = followAddress(draft, value, addressOf)
  if (followed !== draft) setDraft(followed)
  useEffect(() => {
    if (draft?.isTyping !== true) return
    const timer = setTimeout(() => {
      const now = latest.current
      const next = now.addressOf(draft.text)
      setDraft({ ...draft, isTyping: false, address: now.value })
      if (next !== undefined && next !== now.value) now.onApply(draft.text)
    }, TYPED_FOR_MS)
    return () => clearTimeout(timer)
  }, [draft])
  return {
    typed: draft?.text ?? value,
    type: (text: string) => setDraft({ text, isTyping: true, address: value }),
  }
}

/** The draft after the URL changed: kept while the user types or the change is its own, otherwise dropped. */
export function followAddress(
  draft: Draft | undefined,
  value: string,
  addressOf: (text: string) => string | undefined = unchanged,
): Draft | undefined {
  if (draft === undefined || draft.isTyping || draft.address === value) return draft
  return addressOf(draft.text) === value ? { ...draft, address: value } : undefined
}

function unchanged(text: string): string {
  return text
}
