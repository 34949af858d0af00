import { ImportProblem } from '../import-problem.ts'
import type { Source } from './open-source.ts'

const LINE_BYTES_MAX = 16 * 1024 * 1024

/** The lines of a text file, many at a time; without their line ends. @throws ImportProblem */
export async function* readLines(source: Source, onBytes?: (bytes: number) => void): AsyncGenerator<string[]> {
  const content = source.open(onBytes)
  const decoder = new TextDecoder()
  let partial = ''
  try {
    for await (const piece of content) {
      const lines = (partial + decoder.decode(piece, { stream: true })).split('\n')
      partial = lines.pop() ?? ''
      if (partial.length > LINE_BYTES_MAX) throw new Error(`a line is longer than ${LINE_BYTES_MAX} bytes`)
      if (lines.length > 0) yield lines.map(withoutReturn)
    }
    partial += decoder.decode()
  } catch (error) {
    throw unreadable(source, error)
  } finally {
    content.destroy()
  }
  if (partial !== '') yield [withoutReturn(partial)]
}

export function unreadable({ file }: Source, error: unknown): ImportProblem {
  const reason = error instanceof Error ? error.message : 'damaged'
  return error instanceof ImportProblem ? error : new ImportProblem(file, undefined, `cannot be read: ${reason}`)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
