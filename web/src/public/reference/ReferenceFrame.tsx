import { t } from '@lingui/core/macro'
import { Menu } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { DocsSearch } from '../docs/DocsSearch.tsx'
import { groupTitle } from './group-words.ts'
import { operations } from './read-operations.ts'
import { referenceGroups, referencePath } from './reference-path.ts'
import { readOperationWords } from './reference-words.ts'

type ReferenceFrameProps = { group?: string; children: ReactNode }

/** Navigation at the left, or behind a summary on narrow screens: every group, and the calls of the current one. */
export function ReferenceFrame({ group, children }: ReferenceFrameProps) {
  return (
    <div className="docs reference" data-island="docs" data-copied={t`Copied`}>
      <nav className="toc wide" aria-label={t`Reference`}>
        <DocsSearch />
        <Links group={group} />
      </nav>
      <details className="toc narrow">
        <summary>
          <Menu className="icon" aria-hidden="true" />
          {t`Reference`}
        </summary>
        <nav aria-label={t`Reference`}>
          <Links group={group} />
        </nav>
      </details>
      <div className="doc-body">{children}</div>
    </div>
  )
}

type Current = { group: string | undefined }

function Links({ group }: Current) {
  return (
    <>
      <ul>
        <li>
          <a href={paths.docs}>{t`Documentation`}</a>
        </li>
        <li>
          <a href={paths.apiDocs} aria-current={group === undefined ? 'page' : undefined}>
            {t`All calls`}
          </a>
        </li>
      </ul>
      <p className="group-name">{t`API`}</p>
      <GroupLinks groups={referenceGroups.api} group={group} />
      <p className="group-name">{t`Administration`}</p>
      <GroupLinks groups={referenceGroups.admin} group={group} />
    </>
  )
}

function GroupLinks({ groups, group }: Current & { groups: readonly string[] }) {
  return (
    <ul>
      {groups.map((one) => (
        <li key={one}>
          <a href={referencePath(one)} aria-current={one === group ? 'page' : undefined}>
            {groupTitle(one)}
          </a>
          {one === group && <CallsOnPage group={one} />}
        </li>
      ))}
    </ul>
  )
}

function CallsOnPage({ group }: { group: string }) {
  const words = readOperationWords()
  return (
    <ul className="here">
      {operations
        .filter((operation) => operation.group === group)
        .map(({ id, method }) => (
          <li key={id}>
            <a href={`#${id}`}>
              {words.get(id)?.title ?? id}
              <span className="method">{method}</span>
            </a>
          </li>
        ))}
    </ul>
  )
}
