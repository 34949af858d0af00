import { STREAM_SUBSCRIPTIONS_MAX } from '@tapeline/contracts/market-data/stream'
import { AppError } from '@tapeline/service/app-error'

const RETRY_AFTER_S = 1

/** The problem of a further subscription with this id on a connection with these subscriptions, if any. */
export function subscriptionProblem(subscriptions: ReadonlyMap<string, unknown>, id: string): AppError | undefined {
  if (subscriptions.has(id)) {
    const message = `The subscription ${id} exists: unsubscribe first, or choose another id.`
    return new AppError('stream.subscription_exists', message, { errors: [{ field: '/id', message }] })
  }
  if (subscriptions.size < STREAM_SUBSCRIPTIONS_MAX) return undefined
  const message = `A connection has at most ${STREAM_SUBSCRIPTIONS_MAX} subscriptions.`
  return new AppError('stream.too_many_subscriptions', message, { errors: [{ field: '/id', message }] })
}

export function unknownSubscription(id: string): AppError {
  const message = `There is no subscription ${id} on this connection.`
  return new AppError('stream.subscription_unknown', message, { errors: [{ field: '/id', message }] })
}

/** The service is stopping, or the client has disconnected. */
export function connectionEnded(): AppError {
  const message = 'The service restarts. Try again in a moment.'
  return new AppError('service.unavailable', message, { retryAfterSeconds: RETRY_AFTER_S })
}
