import { t } from '@lingui/core/macro'
import { type Language, LANGUAGE_PARAMETER, LANGUAGES } from '@tapeline/contracts/language'
import { LANGUAGE_NAMES } from '../language/language-names.ts'

/** Plain links: the page server stores the choice. */
export function Languages({ language }: { language: Language }) {
  return (
    <nav className="languages" aria-label={t`Language`}>
      {LANGUAGES.map((one) => (
        <a
          key={one}
          href={`?${LANGUAGE_PARAMETER}=${one}`}
          hrefLang={one}
          lang={one}
          aria-current={one === language ? 'true' : undefined}
        >
          {LANGUAGE_NAMES[one]}
        </a>
      ))}
    </nav>
  )
}
