export type ServerEvent = { name: string; id: string | undefined; data: unknown }

/** Parses server-sent events from text in chunks of any size. A heartbeat may contain only an id. */
export function createEventReader(onEvent: (event: ServerEvent) => void) {
  let partial = ''
  return {
    take: (text: string): void => {
      const blocks = (partial + text).replaceAll('\r\n', '\n').split('\n\n')
      partial = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = readBlock(block)
        if (event !== undefined) onEvent(event)
      }
    },
  }
}

function readBlock(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, field, value] = /^(event|id|data): ?(.*)$/.exec(line) ?? []
    if (field === undefined || value === undefined) continue
    const before = field === 'data' ? fields.get('data') : undefined
    fields.set(field, before === undefined ? value : `${before}\n${value}`)
  }
  if (fields.size === 0) return undefined
  return { name: fields.get('event') ?? 'message', id: fields.get('id'), data: parse(fields.get('data')) }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
