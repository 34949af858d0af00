/** Throws an Error with a reason that can follow the name of a line or frame. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new Error('has no valid JSON')
  }
}

/** A property of an object; undefined for any other value. */
export function field(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null && !Array.isArray(message) && Object.hasOwn(message, name)
    ? Reflect.get(message, name)
    : undefined
}

export function textField(message: unknown, name: string): string {
  const value = field(message, name)
  if (typeof value !== 'string') throw new Error(`${name} is missing or not text`)
  return value
}

/** A non-negative safe integer. */
export function integerField(message: unknown, name: string): number {
  const value = field(message, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`${name} is missing or not a whole number`)
  return value
}

/** A list of lists of text; absent is empty. */
export function rowsOf(message: unknown, name: string): string[][] {
  return rowsIn(field(message, name) ?? [], name)
}

export function rowsIn(value: unknown, name: string): string[][] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`)
  return value.map((row: unknown) => {
    if (!Array.isArray(row)) throw new Error(`${name} contains something that is not a list`)
    return row.map((cell: unknown) => {
      if (typeof cell !== 'string') throw new Error(`${name} contains a value that is not text`)
      return cell
    })
  })
}
