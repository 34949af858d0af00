export type ServerEvent = { type: string; data: string; id: string }

/**
 * Parses server-sent events from bytes (https://html.spec.whatwg.org/multipage/server-sent-events.html). An event that
 * the end of the stream truncates is dropped, as the specification requires.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  let partial = ''
  let event = newEvent()
  for await (const bytes of body) {
    partial += decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be the first half of a line break.
    const lines = partial.split(/\r\n|\n|\r(?!$)/)
    partial = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') addField(event, line)
      else {
        if (event.lines.length > 0) yield { type: event.type, data: event.lines.join('\n'), id: event.id }
        event = { ...newEvent(), id: event.id }
      }
    }
  }
}

type Unfinished = { type: string; lines: string[]; id: string }

function newEvent(): Unfinished {
  return { type: 'message', lines: [], id: '' }
}

function addField(event: Unfinished, line: string): void {
  const colon = line.indexOf(':')
  const name = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (name === 'event') event.type = value
  else if (name === 'data') event.lines.push(value)
  else if (name === 'id') event.id = value
}
