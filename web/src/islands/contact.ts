import { call, CallError } from './parts/call.ts'
import { setText } from './parts/dom.ts'
import { type Words, wordsOf } from './parts/words.ts'

const FIELDS = ['name', 'email', 'topic', 'message'] as const
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Sends the form; the input is kept until the server has accepted it. */
export function start(root: HTMLElement): void {
  if (!(root instanceof HTMLFormElement)) return
  const words = wordsOf(root)
  chooseTopic(root)
  let isSending = false
  root.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending || !isComplete(root, words)) return
    isSending = true
    void send(root, words).finally(() => {
      isSending = false
    })
  })
}

/** A link may contain the topic; an unknown value selects nothing. */
function chooseTopic(form: HTMLFormElement): void {
  const topic = new URLSearchParams(location.search).get('topic')
  const control = controlOf(form, 'topic')
  if (!(control instanceof HTMLSelectElement)) return
  if ([...control.options].some(({ value }) => value === topic)) control.value = topic ?? ''
}

async function send(form: HTMLFormElement, words: Words): Promise<void> {
  setText(form, 'failed', '')
  setText(form, 'outcome', words('sending'))
  try {
    await call('/api/v1/contact', Object.fromEntries(FIELDS.map((name) => [name, controlOf(form, name)?.value.trim()])))
    form.reset()
    setText(form, 'outcome', words('sent'))
  } catch (error) {
    setText(form, 'outcome', '')
    showFailure(form, error instanceof CallError ? error : new CallError(0, {}), words)
  }
}

/** Shows the server's messages at their fields, or below the form. */
function showFailure(form: HTMLFormElement, { fields, message }: CallError, words: Words): void {
  const ofFields = FIELDS.map((name) => ({
    name,
    text: fields.find(({ field }) => field.replace('/', '') === name)?.message,
  }))
  for (const { name, text } of ofFields) showError(form, name, text ?? '')
  if (ofFields.every(({ text }) => text === undefined)) setText(form, 'failed', message || words('failed'))
  focusFirst(form)
}

function isComplete(form: HTMLFormElement, words: Words): boolean {
  for (const name of FIELDS) {
    const control = controlOf(form, name)
    const isEmpty = control?.value.trim() === ''
    const isWrong = control?.validity.valid === false
    showError(form, name, isEmpty ? words('required') : isWrong ? words('email') : '')
  }
  return !focusFirst(form)
}

function showError(form: HTMLFormElement, name: string, text: string): void {
  const place = form.querySelector<HTMLElement>(`[data-error="${name}"]`)
  const control = controlOf(form, name)
  if (place !== null) place.textContent = text
  if (text === '') {
    control?.removeAttribute('aria-invalid')
    control?.removeAttribute('aria-describedby')
    return
  }
  control?.setAttribute('aria-invalid', 'true')
  control?.setAttribute('aria-describedby', `contact-${name}-error`)
}

function focusFirst(form: HTMLFormElement): boolean {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  wrong?.focus()
  return wrong !== null
}

function controlOf(form: HTMLFormElement, name: string): Control | null {
  return form.querySelector<Control>(`[name="${name}"]`)
}
