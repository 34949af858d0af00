import { Admission } from './admission.ts'
import { authenticate, readCredential } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import type { OpenStream } from './open-streams.ts'
import { refusal } from './refusal.ts'

const stopping = refusal('service.unavailable', 'This gateway is being restarted: come back at once.', 1)

/** An answer without a deadline, to be looked at again: by its credential as it was sent, as if it had just come in. */
export function streamOf(exchange: Exchange): OpenStream {
  return {
    isDone: () => exchange.isDone,
    decideAgain() {
      if (exchange.caller === undefined) return
      authenticate(
        exchange,
        readCredential(exchange.request.headers),
        (same, caller) => new Admission(same, caller, () => {}).start(),
        (same, failure) => same.refuse(failure.refusal),
      )
    },
    end() {
      if (exchange.route?.isEventStream === true) exchange.refuse(stopping)
    },
  }
}
