import { Monitor, Moon, Sun } from 'lucide-react'

/** The style sheet shows the icon of the current theme, also before any script is loaded. */
export function ThemeIcons() {
  return (
    <>
      <Sun className="icon of-light" aria-hidden="true" />
      <Moon className="icon of-dark" aria-hidden="true" />
      <Monitor className="icon of-system" aria-hidden="true" />
    </>
  )
}
