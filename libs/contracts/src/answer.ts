import { type TSchema, Type } from 'typebox'

/** What every dashboard call answers when it succeeds. */
export function Answer<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), message: Type.String(), data })
}

export type Answer<T> = { success: true; message: string; data: T }

export function answer<T>(message: string, data: T): Answer<T> {
  return { success: true, message, data }
}

/** The answer of a call that has nothing to say but that it was done. */
export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() })
export type Done = { success: true; message: string }

export function done(message: string): Done {
  return { success: true, message }
}
