import { msg, t } from '@lingui/core/macro'
import { Monitor, Moon, Sun } from 'lucide-react'
import { i18n } from '../language/i18n.ts'
import { chooseTheme } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { nextTheme, type Theme } from './theme.ts'
import { useTheme } from './use-theme.ts'

const ICONS = { light: Sun, dark: Moon, system: Monitor } satisfies Record<Theme, unknown>
const THEME_NAMES = {
  light: msg({ message: 'light', context: 'theme' }),
  dark: msg({ message: 'dark', context: 'theme' }),
  system: msg({ message: 'system', context: 'theme' }),
} satisfies Record<Theme, unknown>

/** Cycles light, dark, system. */
export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useTheme()
  const name = i18n._(THEME_NAMES[theme])
  const next = i18n._(THEME_NAMES[nextTheme(theme)])
  const Icon = ICONS[theme]
  return (
    <Button
      variant="quiet"
      isIconOnly
      className={className}
      aria-label={t`Theme: ${name}`}
      title={t`Theme: ${name}. Next: ${next}`}
      onClick={() => chooseTheme(nextTheme(theme))}
      icon={<Icon className="i" aria-hidden="true" />}
    />
  )
}
