import { actorOf, nameOf } from './actor-tokens.ts'
import { Admission } from './admission.ts'
import { authenticate, readCredential } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import type { OpenStream } from './open-streams.ts'
import { refusal } from './refusal.ts'

const stopping = refusal('service.unavailable', 'This gateway is being restarted: come back at once.', 1)
const changed = refusal('service.unavailable', 'What you may see has changed: come back at once.', 1)

/** An answer without a deadline, to be looked at again: by its credential as it was sent, as if it had just come in. */
export function streamOf(exchange: Exchange): OpenStream {
  const actor = actorNameOf(exchange)
  return {
    isDone: () => exchange.isDone,
    decideAgain() {
      if (exchange.caller === undefined) return
      authenticate(
        exchange,
        readCredential(exchange.request.headers),
        (same, caller) => new Admission(same, caller, endOutdated).start(),
        (same, failure) => same.refuse(failure.refusal),
      )
    },
    end() {
      if (exchange.route?.isEventStream === true) exchange.refuse(stopping)
    },
  }

  /** The service knows the role and tier that the stream was opened with; a file that is under way is finished with them. */
  function endOutdated(): void {
    if (exchange.route?.isEventStream === true && actorNameOf(exchange) !== actor) exchange.refuse(changed)
  }
}

function actorNameOf({ caller, plan }: Exchange): string {
  return caller === undefined || plan === undefined ? '' : nameOf(actorOf(caller, plan))
}
