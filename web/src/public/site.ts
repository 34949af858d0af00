import { startMenu } from '../layouts/start-menu.ts'
import { startIslands } from './start-islands.ts'
import { startThemeButton } from './start-theme-button.ts'

// What every public page runs. No React: a page stays readable without any of it.
startThemeButton()
startMenu()
startIslands()
