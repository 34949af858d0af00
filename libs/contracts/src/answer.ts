import { type TSchema, Type } from 'typebox'

/** Body of a successful dashboard call. */
export function Answer<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), message: Type.String(), data })
}

export type Answer<T> = { success: true; message: string; data: T }

/** Body of a successful dashboard call with its message and data. */
export function answer<T>(message: string, data: T): Answer<T> {
  return { success: true, message, data }
}

/** Body of a call that returns no data. */
export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() })
export type Done = { success: true; message: string }

/** Body of a successful call that returns no data. */
export function done(message: string): Done {
  return { success: true, message }
}
