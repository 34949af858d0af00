import type { ErrorCode } from '@tapeline/contracts/error-code'
import {
  isPlatformConfig,
  PLATFORM_CONFIGS,
  VALUE_BYTES_MAX,
  VALUE_DEPTH_MAX,
} from '@tapeline/contracts/config/global-configs'
import { findUnwritable } from '../find-unwritable.ts'
import { type FieldProblem, fieldProblemsOf } from '@tapeline/contracts/field-problems'

export type ValueFault = { code: ErrorCode; errors: FieldProblem[] }

/** Reason why a value may not be stored under this key, with the places inside it; undefined when valid. */
export function checkValue(key: string, value: unknown): ValueFault | undefined {
  if (depthOf(value) > VALUE_DEPTH_MAX) return tooLarge(`it is nested deeper than ${VALUE_DEPTH_MAX} levels`)
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > VALUE_BYTES_MAX) return tooLarge(`it has more than ${VALUE_BYTES_MAX} bytes`)
  const unwritable = findUnwritable(value)
  if (unwritable !== undefined) return { code: 'global_config.invalid', errors: [unwritable] }
  const errors = isPlatformConfig(key)
    ? [...fieldProblemsOf(PLATFORM_CONFIGS[key].schema, value), ...contradictions(key, value)]
    : []
  return errors.length === 0 ? undefined : { code: 'global_config.invalid', errors }
}

/** Rules across several fields, which the schema cannot express. */
function contradictions(key: string, value: unknown): FieldProblem[] {
  if (key !== 'api_settings.page_sizes' || typeof value !== 'object' || value === null) return []
  const { default: rows, max } = value as { default?: unknown; max?: unknown }
  if (typeof rows !== 'number' || typeof max !== 'number' || rows <= max) return []
  return [{ field: '/default', message: 'default must not be above max' }]
}

function tooLarge(why: string): ValueFault {
  return { code: 'global_config.too_large', errors: [{ field: '/', message: `The value is too large: ${why}.` }] }
}

/** Stops at the maximum depth, which bounds the recursion. */
function depthOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level > VALUE_DEPTH_MAX) return level
  return Math.max(level, ...Object.values(value).map((part) => depthOf(part, level + 1)))
}
