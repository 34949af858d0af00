import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '@tapeline/testing/browser'
import { takePlatform } from '../../tests/platform/take-platform.ts'
import { paths } from '../src/paths.ts'
import { allPages, type ShownPage } from './all-pages.ts'
import { fillAccount } from './fill-account.ts'
import { createPageViewer } from './page-viewer.ts'

// npm run screenshots [-- --minutes 10 --only metrics --theme dark --width 1440 --language en --into <folder>]
// Takes pictures of every page of a new platform, or of the one in TEST_PLATFORM_FILE, after minutes of real traffic.

const WIDTHS = [1440, 768, 360]
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    theme: { type: 'string', default: 'dark,light' },
    width: { type: 'string', default: WIDTHS.join(',') },
    language: { type: 'string', default: 'en' },
    into: { type: 'string', default: join(import.meta.dirname, '..', '..', '.tapeline', 'screenshots') },
  },
})
const themes = (['dark', 'light'] as const).filter((theme) => options.theme.split(',').includes(theme))
const languages = (['en', 'es', 'fr'] as const).filter((language) => options.language.split(',').includes(language))
/** The traffic lasts minutes, so the range of an hour is used instead of a week. */
const LAST_HOUR: ShownPage = { path: `${paths.metrics}?range=1h`, viewer: 'account' }
const pages = [...allPages, LAST_HOUR].filter((page) => nameOf(page).includes(options.only))

const platform = await takePlatform()
const browser = await openBrowser()
try {
  mkdirSync(options.into, { recursive: true })
  print(`${options.minutes} min of traffic`)
  const account = await fillAccount(platform.running, Number(options.minutes))
  const viewer = await createPageViewer(browser, platform.running.webUrl, account)
  for (const language of languages) for (const theme of themes) await takeAll({ language, theme })
  async function takeAll(variant: { language: (typeof languages)[number]; theme: (typeof themes)[number] }) {
    for (const shown of pages) {
      for (const width of options.width.split(',').map(Number)) {
        const page = await viewer.open(shown, { ...variant, width })
        const file = [
          nameOf(shown),
          String(width),
          variant.theme,
          ...(variant.language === 'en' ? [] : [variant.language]),
        ]
        await page.screenshot({ path: join(options.into, `${file.join('-')}.png`), fullPage: true })
      }
      print(`${nameOf(shown)} ${variant.theme}`)
    }
  }
} finally {
  await browser.close()
  await platform.stop()
}
print(`they are in ${options.into}`)

/** `/dashboard/admin?tab=users` → `dashboard-admin-tab-users`. */
function nameOf({ path }: ShownPage): string {
  return path === paths.home ? 'home' : path.slice(1).replaceAll(/[^a-z0-9]+/g, '-')
}

function print(line: string): void {
  process.stderr.write(`${line}\n`)
}
