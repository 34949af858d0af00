import { apiAddress } from './parts/call.ts'
import { make, partOf, setText } from './parts/dom.ts'
import { freshToken, isSignedIn } from './parts/session-api.ts'
import { formatMs, type Words, wordsOf } from './parts/words.ts'

const TIMEOUT_MS = 20_000
const SHOWN_CHARACTERS_MAX = 20_000
const SHOWN_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-policy',
  'retry-after',
  'x-request-id',
]

/** Sends the request of the form and shows status, milliseconds and limit headers of its answer. */
export function start(root: HTMLElement): void {
  if (!(root instanceof HTMLFormElement)) return
  const words = wordsOf(root)
  const note = root.querySelector<HTMLElement>('.note')
  const announce = (text: string): void => {
    if (note !== null) note.textContent = text
  }
  if (isSignedIn() && root.dataset['needs'] !== 'nothing') announce(words('asYou'))
  let isSending = false
  root.addEventListener('submit', (event) => {
    event.preventDefault()
    // A second press must not create a second key.
    if (isSending) return
    isSending = true
    void send(root, words, announce).finally(() => {
      isSending = false
    })
  })
  // The key exists only in the field, until the page is closed.
  window.addEventListener('pagehide', () => {
    const field = keyField(root)
    if (field !== undefined) field.value = ''
  })
  root.querySelector('[type="submit"]')?.removeAttribute('disabled')
}

async function send(form: HTMLFormElement, words: Words, announce: (text: string) => void): Promise<void> {
  const credential = await credentialOf(form)
  const body = fieldOf(form, 'body')
  const missing = findProblem(form, credential, body)
  if (missing !== undefined) return announce(words(missing))
  announce(words('sending'))
  const startedMs = performance.now()
  try {
    const answer = await sendCall(form, credential, body)
    show(form, answer, await answer.text(), performance.now() - startedMs)
    announce('')
  } catch {
    announce(words('failed'))
  }
}

function findProblem(
  { dataset }: HTMLFormElement,
  credential: string | undefined,
  body: string | undefined,
): string | undefined {
  if (body !== undefined && !isJson(body)) return 'unreadable'
  if (credential !== undefined || dataset['needs'] === 'nothing') return undefined
  return dataset['needs'] === 'session' ? 'needsSession' : 'needsKey'
}

function sendCall(form: HTMLFormElement, credential: string | undefined, body: string | undefined): Promise<Response> {
  return fetch(apiAddress(fieldOf(form, 'path') ?? ''), {
    method: form.dataset['method'] ?? 'GET',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
}

function show(form: HTMLFormElement, answer: Response, text: string, durationMs: number): void {
  const status = partOf(form, 'status')
  if (status !== undefined) {
    status.className = `state mono ${classOfStatus(answer.status)}`
    status.textContent = String(answer.status)
  }
  setText(form, 'time', `${formatMs(durationMs)} ms`)
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [make('div', {}, make('dt', {}, name), make('dd', {}, value))]
  })
  partOf(form, 'headers')?.replaceChildren(...headers)
  setText(form, 'body', indented(text))
  form.querySelector('.tried')?.removeAttribute('hidden')
}

async function credentialOf(form: HTMLFormElement): Promise<string | undefined> {
  if (form.dataset['needs'] === 'nothing') return undefined
  const typed = keyField(form)?.value.trim() ?? ''
  return typed === '' ? freshToken() : typed
}

function keyField(form: HTMLFormElement): HTMLInputElement | undefined {
  return form.querySelector<HTMLInputElement>('[data-field="key"]') ?? undefined
}

function fieldOf(form: HTMLFormElement, name: string): string | undefined {
  return form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[data-field="${name}"]`)?.value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function indented(text: string): string {
  const shown = isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length <= SHOWN_CHARACTERS_MAX ? shown : `${shown.slice(0, SHOWN_CHARACTERS_MAX)}\n…`
}

function classOfStatus(status: number): string {
  if (status < 400) return 'state-ok'
  if (status === 429) return 'state-warn'
  return status < 500 ? 'state-client' : 'state-bad'
}
