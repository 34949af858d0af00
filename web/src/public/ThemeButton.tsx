import { t } from '@lingui/core/macro'
import { ThemeIcons } from '../theme/ThemeIcons.tsx'
import { buttonClass } from '../ui/button-class.ts'

/** Cycles light, dark, system; the style sheet shows the icon of the theme that is on (site.ts). */
export function ThemeButton() {
  return (
    <button
      type="button"
      className={buttonClass({ variant: 'quiet', isIconOnly: true }, 'theme-button needs-script')}
      data-words={JSON.stringify({ light: t`Theme: light`, dark: t`Theme: dark`, system: t`Theme: system` })}
      aria-label={t`Theme: dark`}
    >
      <ThemeIcons />
    </button>
  )
}
