import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { pageLanguage } from '../page-language.ts'

/** Full-text search; the index is loaded when the user starts to search. */
export function DocsSearch() {
  const language = pageLanguage()
  return (
    <div
      className="docs-search needs-script"
      data-island="docs-search"
      data-language={language}
      data-words={JSON.stringify({ none: t`No results.`, found: t`Results` })}
    >
      <label className="searchbox">
        <Search className="icon" aria-hidden="true" />
        <span className="sr-only">{t`Search the documentation`}</span>
        <input type="search" placeholder={t`Search`} autoComplete="off" />
      </label>
      <div className="results" role="status" hidden />
    </div>
  )
}
