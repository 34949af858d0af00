import { DocsFrame } from './DocsFrame.tsx'
import { DocSections } from './DocSections.tsx'
import { docTexts, type DocTextName } from './doc-list.ts'
import { parseText } from './parse-text.ts'
import { readText } from './read-text.ts'

/** A page whose content is a text of docs/text. */
export function DocPage({ text }: { text: DocTextName }) {
  const { title, description, body } = readText(text)
  const sections = parseText(body, readText(text, 'en').body)
  const path = docTexts.find((one) => one.text === text)?.path ?? ''
  return (
    <DocsFrame path={path} sections={sections}>
      <header className="doc-head">
        <h1>{title}</h1>
        <p>{description}</p>
      </header>
      <DocSections sections={sections} />
    </DocsFrame>
  )
}
