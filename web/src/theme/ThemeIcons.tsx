import { Monitor, Moon, Sun } from 'lucide-react'

/** The style sheet shows the icon of the theme that is on, before any script is there too. */
export function ThemeIcons() {
  return (
    <>
      <Sun className="icon of-light" aria-hidden="true" />
      <Moon className="icon of-dark" aria-hidden="true" />
      <Monitor className="icon of-system" aria-hidden="true" />
    </>
  )
}
