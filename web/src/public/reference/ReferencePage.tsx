import { t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { inline } from '../docs/inline.tsx'
import { groupTitle } from './group-words.ts'
import { operations } from './read-operations.ts'
import { referenceGroups, referencePath } from './reference-path.ts'
import { readOperationWords } from './reference-words.ts'
import { ReferenceFrame } from './ReferenceFrame.tsx'

/**
 * Every call by group, each linked to its page. The script leads old URLs (`/api-docs#list-trades`) to that page.
 */
export function ReferencePage() {
  return (
    <ReferenceFrame>
      <header className="doc-head">
        <h1>{t`API reference`}</h1>
        <p>
          {t`Generated from the OpenAPI document that the gateway serves.`}{' '}
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
      <div data-island="reference-index">
        <h2 className="sr-only">{t`API`}</h2>
        <div className="groups">
          {referenceGroups.api.map((group) => (
            <Group key={group} group={group} />
          ))}
        </div>
        <h2 className="apart">{t`Administration`}</h2>
        <p className="doc-prose">{t`For accounts with the role tester or admin.`}</p>
        <div className="groups">
          {referenceGroups.admin.map((group) => (
            <Group key={group} group={group} />
          ))}
        </div>
      </div>
    </ReferenceFrame>
  )
}

function Group({ group }: { group: string }) {
  const words = readOperationWords()
  const description = words.get(group)?.description ?? []
  return (
    <section aria-labelledby={group}>
      <div>
        <h3 id={group}>
          <a href={referencePath(group)}>{groupTitle(group)}</a>
        </h3>
        {description.length > 0 && <p className="small muted">{inline(description)}</p>}
      </div>
      <ul>
        {operations
          .filter((operation) => operation.group === group)
          .map(({ id, method, path }) => (
            <li key={id}>
              <a id={id} href={referencePath(group, id)}>
                {words.get(id)?.title ?? id}
              </a>
              <span className="mono" translate="no">
                <b>{method}</b> {path}
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
