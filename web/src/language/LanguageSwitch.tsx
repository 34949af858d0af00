import { t } from '@lingui/core/macro'
import { LANGUAGES } from '@tapeline/contracts/language'
import { setLanguage } from '../platform.ts'
import { Select } from '../ui/Input.tsx'
import { LANGUAGE_NAMES } from './language-names.ts'
import { useLanguage } from './use-language.ts'

/** Each language by its native name. */
export function LanguageSwitch() {
  const current = useLanguage()
  return (
    <Select
      className="language-switch"
      aria-label={t`Language`}
      value={current}
      onChange={({ target }) => {
        const chosen = LANGUAGES.find((language) => language === target.value)
        if (chosen !== undefined) setLanguage(chosen)
      }}
    >
      {LANGUAGES.map((language) => (
        <option key={language} value={language} lang={language}>
          {LANGUAGE_NAMES[language]}
        </option>
      ))}
    </Select>
  )
}
