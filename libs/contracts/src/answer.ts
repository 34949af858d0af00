import { type TSchema, Type } from 'typebox'

/** What every dashboard call answers when it succeeds. */
export function Answer<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), message: Type.String(), data })
}

export type Answer<T> = { success: true; message: string; data: T }

export function answer<T>(message: string, data: T): Answer<T> {
  return { success: true, message, data }
}
