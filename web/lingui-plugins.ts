import { fileURLToPath } from 'node:url'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import type { PluginOption } from 'vite'

const config = { configPath: fileURLToPath(new URL('lingui.config.ts', import.meta.url)) }
const USES_MACROS = /from ['"]@lingui\/(core|react)\/macro['"]/
/** How the macro marks a message. */
const MARK = /^\W*i18n\W*$/

/** Texts become messages that carry their English, compiled; the catalogs of the other languages become modules. */
export function linguiPlugins(): PluginOption[] {
  const macro = ['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message', linguiConfig: getConfig(config) }]
  const preset = { preset: { plugins: [macro, compileEnglish] }, rolldown: { filter: { code: USES_MACROS } } }
  return [babel({ presets: [preset] }), lingui(config)]
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
