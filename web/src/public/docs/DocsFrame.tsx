import { t } from '@lingui/core/macro'
import { Menu } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { docTexts } from './doc-list.ts'
import { DocsSearch } from './DocsSearch.tsx'
import { inline } from './inline.tsx'
import type { Section } from './parse-text.ts'
import { readText } from './read-text.ts'

type DocsFrameProps = { path: string; sections: readonly Section[]; children: ReactNode }

/** Navigation at the left, or in a `details` element on narrow screens. */
export function DocsFrame({ path, sections, children }: DocsFrameProps) {
  return (
    <div className="docs" data-island="docs" data-copied={t`Copied`}>
      <nav className="toc wide" aria-label={t`Documentation`}>
        <DocsSearch />
        <DocLinks path={path} sections={sections} />
      </nav>
      <details className="toc narrow">
        <summary>
          <Menu className="icon" aria-hidden="true" />
          {t`Documentation`}
        </summary>
        <nav aria-label={t`Documentation`}>
          <DocLinks path={path} sections={sections} />
        </nav>
      </details>
      <div className="doc-body">{children}</div>
    </div>
  )
}

function DocLinks({ path, sections }: Omit<DocsFrameProps, 'children'>) {
  return (
    <ul>
      {docTexts.map((one) => (
        <li key={one.path}>
          <a href={one.path} aria-current={one.path === path ? 'page' : undefined}>
            {readText(one.text).title}
          </a>
          {one.path === path && <InThisPage sections={sections} />}
        </li>
      ))}
      <li>
        <a href={paths.apiDocs}>{t`Reference`}</a>
      </li>
    </ul>
  )
}

function InThisPage({ sections }: Pick<DocsFrameProps, 'sections'>) {
  const named = sections.flatMap(({ id, heading }) => (heading === undefined ? [] : [{ id, tokens: heading.tokens }]))
  if (named.length === 0) return null
  return (
    <ul className="here">
      {named.map(({ id, tokens }) => (
        <li key={id}>
          <a href={`#${id}`}>{inline(tokens)}</a>
        </li>
      ))}
    </ul>
  )
}
