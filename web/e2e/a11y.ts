import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyFor, listTrades, signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { openBrowser } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { takePlatform } from '../../tests/platform/take-platform.ts'
import { allPages } from './all-pages.ts'
import { LANGUAGES, createPageViewer, THEMES, turn, USUAL } from './page-viewer.ts'
import { WIDTHS } from './pairs-of-variants.ts'

// npm run a11y: runs axe on every page in every theme, language and width, of a new platform or of TEST_PLATFORM_FILE.
// The result is written to docs/a11y.json, or to --into; --only <word> selects pages.

const { values: options } = parseArgs({
  options: {
    into: { type: 'string', default: join(import.meta.dirname, '..', '..', 'docs', 'a11y.json') },
    only: { type: 'string', default: '' },
  },
})
const pages = allPages.filter(({ path }) => path.includes(options.only))
const result = beginResult()
const platform = await takePlatform()
const browser = await openBrowser()
const found: Record<string, string[]> = {}
let runs = 0
try {
  const { gatewayUrl, webUrl } = platform.running
  const account = await signUpUser(gatewayUrl)
  const operator = callOperator(platform.running)
  await operator.ofUsers('set-role', account.user.id, 'admin')
  await operator.close()
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  await listTrades(gatewayUrl, apiKey)
  const viewer = await createPageViewer(browser, webUrl, account)
  for (const shown of pages) {
    for (const language of LANGUAGES) {
      const page = await viewer.open(shown, { ...USUAL, language })
      for (const theme of THEMES) {
        for (const width of WIDTHS) {
          await turn(page, { theme, width })
          const barriers = await findBarriers(page)
          runs += 1
          if (barriers.length > 0) found[`${shown.path} ${theme} ${language} ${width}`] = barriers
        }
      }
    }
    process.stderr.write(`${shown.path}: ${runs} runs, ${Object.keys(found).length} with findings\n`)
  }
} finally {
  await browser.close()
  await platform.stop()
}
const variants = { themes: THEMES, languages: LANGUAGES, widths: WIDTHS }
result.write(options.into, { pages: pages.map(({ path }) => path), ...variants, runs, findings: found })
if (Object.keys(found).length > 0) process.exitCode = 1
