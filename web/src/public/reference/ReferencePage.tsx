import { t } from '@lingui/core/macro'
import { Menu } from 'lucide-react'
import { paths } from '../../paths.ts'
import { DocsSearch } from '../docs/DocsSearch.tsx'
import { inline } from '../docs/inline.tsx'
import { OperationSection } from './OperationSection.tsx'
import { operations, type Operation } from './read-operations.ts'
import { type OperationWords, readFieldWords, readOperationWords } from './reference-words.ts'

/** Every call of the gateway's OpenAPI document, rendered when the site is built. */
export function ReferencePage() {
  const words = readOperationWords()
  const fieldWords = readFieldWords()
  const groups = Map.groupBy(operations, ({ group }) => group)
  const wordsOf = (id: string): OperationWords => words.get(id) ?? { title: id, says: [] }
  return (
    <div className="docs reference" data-island="docs" data-copied={t`Copied`}>
      <nav className="toc wide" aria-label={t`Reference`}>
        <DocsSearch />
        <Calls groups={groups} wordsOf={wordsOf} />
      </nav>
      <details className="toc narrow">
        <summary>
          <Menu className="i" aria-hidden="true" />
          {t`Reference`}
        </summary>
        <nav aria-label={t`Reference`}>
          <Calls groups={groups} wordsOf={wordsOf} />
        </nav>
      </details>
      <div className="doc-body">
        <ReferenceHead />
        {[...groups].map(([group, list]) => (
          <section key={group} className="group" aria-labelledby={group}>
            <h2 id={group}>{wordsOf(group).title}</h2>
            {wordsOf(group).says.length > 0 && <p className="t2">{inline(wordsOf(group).says)}</p>}
            {list.map((operation) => (
              <OperationSection
                key={operation.id}
                operation={operation}
                words={wordsOf(operation.id)}
                fieldWords={fieldWords}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

function ReferenceHead() {
  return (
    <header className="doc-head">
      <h1>{t`API reference`}</h1>
      <p>
        {t`Every call of the API, from the same document that programs read.`}{' '}
        <a className="link" href={paths.openApiDocument}>
          OpenAPI 3.1
        </a>
        {' · '}
        <a className="link" href={paths.docsAuthentication}>{t`Authentication`}</a>
        {' · '}
        <a className="link" href={paths.docsLimits}>{t`Limits and headers`}</a>
        {' · '}
        <a className="link" href={paths.docsErrors}>{t`Errors`}</a>
      </p>
    </header>
  )
}

type CallsProps = { groups: ReadonlyMap<string, Operation[]>; wordsOf: (id: string) => OperationWords }

function Calls({ groups, wordsOf }: CallsProps) {
  return (
    <ul>
      <li>
        <a href={paths.docs}>{t`Documentation`}</a>
      </li>
      {[...groups].map(([group, list]) => (
        <li key={group}>
          <a className="group-name" href={`#${group}`}>
            {wordsOf(group).title}
          </a>
          <ul>
            {list.map(({ id, method }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  {wordsOf(id).title}
                  <span className="v">{method}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
