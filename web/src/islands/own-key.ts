import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { copyText } from '../ui/copy-text.ts'
import { make } from './parts/dom.ts'
import { type Words, wordsOf } from './parts/words.ts'

const SHOWN_MAX = 5

/** The signed-in user's keys, in a command to complete: only the user has the secret. */
export function start(root: HTMLElement): void {
  // Set by visitor.js, so that visitors do not load the session code.
  if (!('signedIn' in document.documentElement.dataset)) return
  const words = wordsOf(root)
  const keysPath = root.dataset['keysPath'] ?? ''
  import('./parts/session-api.ts')
    .then(({ sessionApi }) => sessionApi.data<{ apiKeys: ApiKey[] }>({ path: '/api/v1/internal/api-keys' }))
    .then(
      ({ apiKeys }) => {
        const usable = apiKeys.filter(({ status }) => status === 'active').slice(0, SHOWN_MAX)
        root.replaceChildren(...(usable.length === 0 ? keyHint(words, keysPath) : linesOf(usable, words)))
      },
      () => root.replaceChildren(make('p', { class: 'small muted' }, words('failed'))),
    )
}

function keyHint(words: Words, keysPath: string): Node[] {
  const link = make('a', { class: 'link', href: keysPath }, words('create'))
  return [make('p', { class: 'small muted' }, `${words('none')} `, link)]
}

function linesOf(keys: ApiKey[], words: Words): Node[] {
  const lines = keys.map((key) => {
    const line = `export TAPELINE_KEY='${key.prefix}_…'  # ${key.name}`
    const copy = make('button', { type: 'button', class: 'btn btn-quiet btn-sm' }, words('copy'))
    copy.addEventListener('click', () => {
      void copyText(line).then((isCopied) => {
        if (isCopied) copy.textContent = words('copied')
      })
    })
    return make('li', {}, make('code', { class: 'inline' }, line), copy)
  })
  return [
    make('p', { class: 'small' }, make('b', { class: 'medium' }, words('yours')), ' ', words('secret')),
    make('ul', {}, ...lines),
  ]
}
