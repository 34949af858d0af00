import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { nextTheme, type Theme } from './theme.ts'
import { useTheme } from './use-theme.ts'

const ICONS = { light: Sun, dark: Moon, system: Monitor } satisfies Record<Theme, unknown>

/** Cycles light, dark, system. */
export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useTheme()
  const Icon = ICONS[theme]
  return (
    <Button
      variant="quiet"
      isIconOnly
      className={className}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}. Next: ${nextTheme(theme)}`}
      onClick={() => chooseTheme(nextTheme(theme))}
      icon={<Icon className="i" aria-hidden="true" />}
    />
  )
}
