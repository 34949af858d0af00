import { TapelineError } from './tapeline-error.ts'
import { startTimer } from './timers.ts'

/**
 * The bytes of an answer, whose `content` is named in the errors. Leaving the loop closes the connection.
 * @throws TapelineError `client.network` if the connection is cut, `client.timeout` after waiting `silenceMs` for data
 */
export async function* readBody(
  answer: Response,
  content: 'stream' | 'download',
  silenceMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return
  let isSilent = false
  const onSilence = (): void => {
    isSilent = true
    // The pending read then ends.
    reader.cancel().catch(() => undefined)
  }
  try {
    for (;;) {
      // The time that the consumer needs for a chunk is not silence.
      const timer = startTimer(onSilence, silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (isSilent) throw new TapelineError('client.timeout', `The ${content} is silent.`, { kind: 'timeout' })
      if (done) return
      yield value
    }
  } catch (cause) {
    if (cause instanceof TapelineError) throw cause
    throw new TapelineError('client.network', `The ${content} was cut.`, { kind: 'network', cause })
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
