export type { BookChange } from './book-change.ts'
export { fromNanoseconds, toNanoseconds } from './nanoseconds.ts'
export { type ListOptions, type Page, RecordList } from './record-list.ts'
export { type Batch, Stream, type StreamFilter, type StreamOptions } from './stream.ts'
export { Tapeline } from './tapeline.ts'
export { type FailureKind, type Problem, TapelineError } from './tapeline-error.ts'
export type { Call, CallOptions, ClientOptions } from './transport.ts'
export type * from './types.ts'
export {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookOptions,
  WebhookVerificationError,
} from './verify-webhook.ts'
