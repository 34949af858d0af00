import { msg, t } from '@lingui/core/macro'
import { i18n } from '../language/i18n.ts'
import { chooseTheme } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { nextTheme, type Theme } from './theme.ts'
import { ThemeIcons } from './ThemeIcons.tsx'
import { useTheme } from './use-theme.ts'

const THEME_NAMES = {
  light: msg({ message: 'light', context: 'theme' }),
  dark: msg({ message: 'dark', context: 'theme' }),
  system: msg({ message: 'system', context: 'theme' }),
} satisfies Record<Theme, unknown>

/** Cycles light, dark, system. */
export function ThemeSwitch() {
  const theme = useTheme()
  const name = i18n._(THEME_NAMES[theme])
  const next = i18n._(THEME_NAMES[nextTheme(theme)])
  return (
    <Button
      variant="quiet"
      isIconOnly
      className="theme-button"
      aria-label={t`Theme: ${name}`}
      title={t`Theme: ${name}. Next: ${next}`}
      onClick={() => chooseTheme(nextTheme(theme))}
      icon={<ThemeIcons />}
    />
  )
}
