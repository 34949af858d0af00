import {
  type Decision,
  POLICIES,
  type Policy,
  type ShadowVerdict,
  type UsageRequestServed,
} from '@tapeline/contracts/usage/events'
import { VARINT_BYTES_MAX, writeVarint } from '../varint.ts'
import { limitsOf } from './request-kind.ts'

// A row's detail: a count n, then n numbers, all as unsigned LEB128 (DWARF 5, 7.6), then rejected fields as JSON text, if any:
// service latency + 1 or 0, flags, waiting time, mask of the limits that denied the request;
// per window of the kind: use, reset + 1 or 0; the mask of the shadow limits, if the kind has a proposal, and by a flag their
// waiting time + 1 or 0; by a flag for the caps proposed for the key: four parts of the proposal's id, mask, waiting time + 1 or 0;
// for a key with its own limits the mask of those that denied the request, and per window: policy, limit, use, reset + 1 or 0.

type Windows = Decision['windows']
type Facts = Pick<UsageRequestServed, 'decision' | 'upstream_latency_us' | 'rejected_fields'>

const DEGRADED = 1
const WITH_KEY = 2
const WITH_SHADOW_WAIT = 4
const WITH_KEY_SHADOW = 8
const ID_PART_DIGITS = 8
const LOW_BITS = 128

/** The part of a request that its kind does not have, in the format above. */
export function encodeDetail({ decision, upstream_latency_us: upstreamUs, rejected_fields: rejected }: Facts): Buffer {
  const { retry_after_ms, denied_by, windows, shadow, key_shadow: keyShadow, key_windows, key_denied_by } = decision
  const hasKey = key_windows !== undefined || key_denied_by !== undefined
  const flags = flagsOf(decision) + (hasKey ? WITH_KEY : 0)
  const numbers = [plusOne(upstreamUs), flags, retry_after_ms, maskOf(denied_by)]
  for (const { used, reset_ms } of windows) numbers.push(used, plusOne(reset_ms))
  if (shadow !== undefined) numbers.push(...numbersOfShadow(shadow))
  if (keyShadow !== undefined) numbers.push(...numbersOfKeyShadow(keyShadow))
  if (hasKey) numbers.push(...numbersOfKey(key_denied_by ?? [], key_windows ?? []))
  const encoded = encodeNumbers(numbers)
  return rejected === undefined ? encoded : Buffer.concat([encoded, Buffer.from(JSON.stringify(rejected))])
}

function flagsOf({ degraded, shadow, key_shadow: keyShadow }: Decision): number {
  const shadowWait = shadow?.retry_after_ms === undefined ? 0 : WITH_SHADOW_WAIT
  return (degraded ? DEGRADED : 0) + shadowWait + (keyShadow === undefined ? 0 : WITH_KEY_SHADOW)
}

function numbersOfShadow({ denied_by: deniedBy, retry_after_ms: waitMs }: ShadowVerdict): number[] {
  return waitMs === undefined ? [maskOf(deniedBy)] : [maskOf(deniedBy), plusOne(waitMs)]
}

function numbersOfKeyShadow({ proposal, denied_by: deniedBy, retry_after_ms: waitMs }: ShadowVerdict): number[] {
  return [...idNumbers(proposal), maskOf(deniedBy), plusOne(waitMs)]
}

function idNumbers(id: string): number[] {
  return (id.replaceAll('-', '').match(/.{8}/g) ?? []).map((part) => Number.parseInt(part, 16))
}

function numbersOfKey(deniedBy: readonly Policy[], windows: Windows): number[] {
  const each = windows.flatMap(({ policy, limit, used, reset_ms }) => [
    POLICIES.indexOf(policy),
    limit,
    used,
    plusOne(reset_ms),
  ])
  return [maskOf(deniedBy), ...each]
}

function encodeNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe((1 + numbers.length) * VARINT_BYTES_MAX)
  let end = writeVarint(bytes, numbers.length, 0)
  for (const number of numbers) end = writeVarint(bytes, number, end)
  if (end > bytes.length) throw new RangeError('a number of the decision is too large')
  return bytes.subarray(0, end)
}

export type StoredDetail = { detail: Buffer; verdict: string; limits: string; proposal: string | null }

/** @throws Error when the detail is too short, or has an unknown limit */
export function decodeDecision(stored: StoredDetail): Decision {
  return decodeDetail(stored).decision
}

/**
 * What `encodeDetail` encoded; lists of policies in the order of POLICIES.
 * @throws Error when the detail is too short, or has an unknown limit
 */
export function decodeDetail({ detail, verdict, limits, proposal }: StoredDetail): Facts {
  const reader = new NumberReader(detail)
  const upstream = reader.next()
  const flags = reader.next()
  const decision: Decision = {
    verdict: verdict as Decision['verdict'],
    degraded: (flags & DEGRADED) !== 0,
    retry_after_ms: reader.next(),
    denied_by: policiesOf(reader.next()),
    windows: limitsOf(limits).map(({ policy, limit }) => ({ policy, limit, used: reader.next(), ...reader.reset() })),
  }
  if (proposal !== null) decision.shadow = { proposal, denied_by: policiesOf(reader.next()) }
  if (decision.shadow !== undefined && (flags & WITH_SHADOW_WAIT) !== 0) Object.assign(decision.shadow, reader.wait())
  if ((flags & WITH_KEY_SHADOW) !== 0) {
    decision.key_shadow = { proposal: reader.id(), denied_by: policiesOf(reader.next()), ...reader.wait() }
  }
  if ((flags & WITH_KEY) !== 0) {
    decision.key_denied_by = policiesOf(reader.next())
    decision.key_windows = windowsOfKey(reader)
  }
  const rejected = reader.text()
  return {
    decision,
    upstream_latency_us: upstream === 0 ? null : upstream - 1,
    ...(rejected === '' ? {} : { rejected_fields: JSON.parse(rejected) }),
  }
}

function windowsOfKey(reader: NumberReader): Windows {
  const windows: Windows = []
  while (!reader.isAtEnd) {
    windows.push({ policy: policyOf(reader.next()), limit: reader.next(), used: reader.next(), ...reader.reset() })
  }
  return windows
}

class NumberReader {
  private readonly bytes: Buffer
  private at = 0
  private remaining: number

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.remaining = 1
    this.remaining = this.next()
  }

  get isAtEnd(): boolean {
    return this.remaining === 0
  }

  next(): number {
    if (this.remaining === 0) throw new Error('the detail of a logged request is too short')
    this.remaining -= 1
    let [number, scale] = [0, 1]
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) throw new Error('the detail of a logged request is too short')
      this.at += 1
      number += (byte % LOW_BITS) * scale
      if (byte < LOW_BITS) return number
      scale *= LOW_BITS
    }
  }

  /** Reads the text that follows the numbers. */
  text(): string {
    return this.bytes.toString('utf8', this.at)
  }

  wait(): { retry_after_ms?: number } {
    const number = this.next()
    return number === 0 ? {} : { retry_after_ms: number - 1 }
  }

  id(): string {
    const part = () => this.next().toString(16).padStart(ID_PART_DIGITS, '0')
    return (part() + part() + part() + part()).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  reset(): { reset_ms?: number } {
    const number = this.next()
    return number === 0 ? {} : { reset_ms: number - 1 }
  }
}

function plusOne(number: number | null | undefined): number {
  return number === null || number === undefined ? 0 : number + 1
}

function policyOf(number: number): Policy {
  const policy = POLICIES[number]
  if (policy === undefined) throw new Error(`the detail of a logged request has limit ${number}, which is unknown`)
  return policy
}

function maskOf(policies: readonly Policy[]): number {
  return policies.reduce((mask, policy) => mask | (1 << POLICIES.indexOf(policy)), 0)
}

function policiesOf(mask: number): Policy[] {
  return POLICIES.filter((_, n) => (mask & (1 << n)) !== 0)
}
