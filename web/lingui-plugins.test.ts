import { minify, transform } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { compileMessages, runMacros } from './lingui-plugins.ts'

const FILE = '/web/src/Page.tsx'
const IMPORTS = `import { msg, plural, t } from '@lingui/core/macro'
import { before } from './before.ts'
import { Plural, Trans } from '@lingui/react/macro'
`

test('the messages of a file are compiled as Babel compiles them in the whole file', async () => {
  const code = `${IMPORTS}
const TITLE = msg\`Keys\`
/** A ; and "quotes" and a template: \${t} in a comment. */
export function Page({ count, name }: { count: number; name: string }) {
  const words = before.map((one) => (one === undefined ? t\`none of \${name}\` : t\`\${plural(count, { one: '# key', other: '# keys' })} of \${one.name}\`))
  return (
    <p title={t\`Keys of \${name}\`} lang={plural(count, { one: 'x', other: 'y' })}>
      {TITLE.id} <Trans>Hello <b>{name}</b>, you have <Plural value={count} one="a key" other="# keys" /></Trans> and
      <Plural value={words.length} one="one word" other="# words" />. {t\`Bye\`}
    </p>
  )
}`
  expect(await minified(await compiled(code))).toBe(await minified(await runMacros(code, FILE)))
})

test('a local variable with the name of a macro is not the macro', async () => {
  const code = `${IMPORTS}export const names = [msg\`x\`, <Trans>y</Trans>, <Plural value={1} other="z" />, plural(1, { other: 'u' })]
export const times = [1, 2].map((t) => before(t\`x\`))`
  const result = await minified(await compiled(code))
  expect(result).toMatch(/times=\[1,2\]\.map\((\w)=>\w\(\1`x`\)\)/)
  expect(result).toBe(await minified(await runMacros(code, FILE)))
})

async function compiled(code: string): Promise<string> {
  return (await compileMessages(code, FILE)).code
}

/** Without formatting, comments and unused imports. */
async function minified(code: string): Promise<string> {
  const { code: script } = await transform(FILE, code)
  return (await minify('Page.js', script)).code
}
