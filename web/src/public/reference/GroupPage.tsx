import { t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { inline } from '../docs/inline.tsx'
import { groupTitle } from './group-words.ts'
import { OperationSection } from './OperationSection.tsx'
import { operations } from './read-operations.ts'
import { readFieldWords, readOperationWords } from './reference-words.ts'
import { ReferenceFrame } from './ReferenceFrame.tsx'

/** The calls of one group: parameters, errors, samples and a form that sends them. */
export function GroupPage({ group }: { group: string }) {
  const words = readOperationWords()
  const fieldWords = readFieldWords()
  const description = words.get(group)?.description ?? []
  return (
    <ReferenceFrame group={group}>
      <header className="doc-head">
        <p className="small">
          <a className="link" href={paths.apiDocs}>{t`API reference`}</a>
        </p>
        <h1>{groupTitle(group)}</h1>
        {description.length > 0 && <p>{inline(description)}</p>}
      </header>
      {operations
        .filter((operation) => operation.group === group)
        .map((operation) => (
          <OperationSection
            key={operation.id}
            operation={operation}
            words={words.get(operation.id) ?? { title: operation.id, description: [] }}
            fieldWords={fieldWords}
          />
        ))}
    </ReferenceFrame>
  )
}
