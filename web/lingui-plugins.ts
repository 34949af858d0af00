import { fileURLToPath } from 'node:url'
import { transformAsync } from '@babel/core'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui } from '@lingui/vite-plugin'
import { RolldownMagicString } from 'rolldown'
import type { Plugin, PluginOption } from 'vite'
import { findMacros } from './find-macros.ts'

const config = { configPath: fileURLToPath(new URL('lingui.config.ts', import.meta.url)) }
const SOURCE = /\.tsx?$/
const PACKAGE = /[/\\]node_modules[/\\]/
const USES_MACROS = /from ['"]@lingui\/(core|react)\/macro['"]/
/** How the macro marks a message. */
const MARK = /^\W*i18n\W*$/
/** Between the parts in the code that Babel transforms. */
const SEPARATOR = '"between two messages";'

/** Texts become messages that carry their English, compiled; the catalogs of the other languages become modules. */
export function linguiPlugins(): PluginOption[] {
  return [compiledMessages(), lingui(config)]
}

type Result = { code: string; map: string }

function compiledMessages(): Plugin {
  const results = new Map<string, { of: string; result: Result }>()
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform: {
      filter: { id: { include: SOURCE, exclude: PACKAGE }, code: USES_MACROS },
      handler: async (code, file) => {
        // The browser's build and the renderer's share most files.
        const before = results.get(file)
        if (before?.of === code) return before.result
        const result = await compileMessages(code, file)
        results.set(file, { of: code, result })
        return result
      },
    },
  }
}

/**
 * Babel receives the messages and the imports of their macros alone: with whole files, it took a third of the processor
 * time of a build.
 */
export async function compileMessages(code: string, file: string): Promise<Result> {
  const parts = findMacros(code, file)
  const statements = parts.map(({ start, end }) => `${code.slice(start, end)};${SEPARATOR}`)
  const compiled = (await runMacros(statements.join('\n'), file)).split(SEPARATOR)
  if (compiled.length !== parts.length + 1) throw new Error(`The messages of ${file} could not be separated.`)
  const changed = new RolldownMagicString(code)
  for (const [at, { start, end }] of parts.entries()) {
    changed.update(start, end, (compiled[at] ?? '').trim().replace(/;$/, ''))
  }
  return { code: changed.toString(), map: changed.generateMap({ source: file }).toString() }
}

const macro = ['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message', linguiConfig: getConfig(config) }]
const plugins = [macro, compileEnglish]

/** Babel's output for a whole program. */
export async function runMacros(code: string, file: string): Promise<string> {
  const output = await transformAsync(code, {
    babelrc: false,
    configFile: false,
    filename: file,
    parserOpts: { plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'] },
    plugins,
  })
  return output?.code ?? ''
}

type Descriptor = {
  leadingComments?: { value: string }[] | null
  properties: { key: { name?: string }; value: { type: string; value: string } }[]
}
type Babel = { types: { valueToNode: (value: unknown) => Descriptor['properties'][number]['value'] } }

/** At build time, so that the browser needs neither an English catalog nor a compiler of messages. */
function compileEnglish({ types }: Babel) {
  return {
    visitor: {
      ObjectExpression: ({ node: { leadingComments, properties } }: { node: Descriptor }) => {
        if (leadingComments?.some(({ value }) => MARK.test(value)) !== true) return
        const message = properties.find(({ key }) => key.name === 'message')
        if (message?.value.type === 'StringLiteral')
          message.value = types.valueToNode(compileMessage(message.value.value))
      },
    },
  }
}
