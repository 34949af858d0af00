import type { Actor } from '@tapeline/contracts/actor'
import type { FlagRule } from '@tapeline/contracts/config/flags'
import {
  type ConfigValue,
  isPlatformConfig,
  PLATFORM_CONFIGS,
  type PlatformConfigKey,
} from '@tapeline/contracts/config/global-configs'
import type { UserFlags } from '@tapeline/contracts/config/http'
import { checkTiers } from '@tapeline/contracts/config/check-tiers'
import { type PlatformSnapshot, TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { Value } from 'typebox/value'
import { flagsOf, flipTimesOf, isFlagOn, type Viewer, viewerOf } from './settings/flag-rules.ts'

type SettingsState = {
  readonly snapshot: PlatformSnapshot | undefined
  readonly origin: string
  readonly refused: number
}

/** Flags and global configurations from the newest snapshot. Without a snapshot, flags are on and defaults apply. */
export class PlatformSettings {
  /** Number of stored values that failed validation; the previous values stay in effect. */
  refusedValues = 0
  private readonly state: SettingsState
  private readonly nowMs: () => number
  private readSnapshot: PlatformSnapshot | undefined
  private readonly values = new Map<string, unknown>()
  private currentTiers: TierConfig | undefined

  constructor(state: SettingsState, nowMs: () => number) {
    this.state = state
    this.nowMs = nowMs
  }

  isOn(flagKey: string, actor: Actor): boolean {
    const { snapshot } = this.state
    return snapshot === undefined || isFlagOn(snapshot.flags, flagKey, viewerOf(actor), this.nowMs())
  }

  flagsFor(viewer: Viewer): UserFlags | undefined {
    const rules: readonly FlagRule[] | undefined = this.state.snapshot?.flags
    return rules && flagsOf(rules, viewer, this.nowMs())
  }

  /** Whether the schedule of a flag begins or ends after `afterMs`, `untilMs` inclusive. */
  hasFlip(afterMs: number, untilMs: number): boolean {
    const rules: readonly FlagRule[] = this.state.snapshot?.flags ?? []
    return rules.some((rule) => flipTimesOf(rule).some((atMs) => atMs > afterMs && atMs <= untilMs))
  }

  valueOf<K extends PlatformConfigKey>(key: K): ConfigValue<K> {
    return this.storedValueOf(key) ?? (PLATFORM_CONFIGS[key].default as ConfigValue<K>)
  }

  /** Undefined when no value is stored, so that the deployment's value applies. */
  storedValueOf<K extends PlatformConfigKey>(key: K): ConfigValue<K> | undefined {
    this.readValues()
    // Only values that match the schema of their key are stored.
    return this.values.get(key) as ConfigValue<K> | undefined
  }

  /** Prices, limits and features of the tiers; undefined before the first snapshot. */
  tiers(): TierConfig | undefined {
    this.readValues()
    return this.currentTiers
  }

  /** Configurations visible to every user: public known keys, and others stored as public. */
  publicValues(): Record<string, unknown> {
    return publicConfigs(this.state.snapshot?.configs ?? {}, (key) => this.valueOf(key))
  }

  /** State for `/readyz` and metrics; version 0 means that there is no snapshot yet. */
  report(): { version: number; origin: string; refused: number } {
    const { snapshot, origin, refused } = this.state
    this.readValues()
    return { version: snapshot?.version ?? 0, origin, refused: refused + this.refusedValues }
  }

  private readValues(): void {
    const { snapshot } = this.state
    if (snapshot === this.readSnapshot) return
    this.readSnapshot = snapshot
    for (const key of Object.keys(PLATFORM_CONFIGS).filter(isPlatformConfig)) {
      const stored = snapshot?.configs[key]
      if (stored === undefined) this.values.delete(key)
      else if (Value.Check(PLATFORM_CONFIGS[key].schema, stored.value)) this.values.set(key, stored.value)
      else this.refusedValues += 1
    }
    const stored = snapshot?.configs[TIERS_KEY]
    if (stored === undefined) return
    const { tiers } = checkTiers(stored.value)
    if (tiers === undefined) this.refusedValues += 1
    else this.currentTiers = tiers
  }
}

type Stored = PlatformSnapshot['configs']

/** The configurations that any signed-in user may read, with their current values. */
export function publicConfigs(stored: Stored, valueOf: (key: PlatformConfigKey) => unknown): Record<string, unknown> {
  const keys = Object.keys(PLATFORM_CONFIGS).filter(isPlatformConfig)
  const ofPlatform = keys
    .filter((key) => stored[key]?.is_public ?? PLATFORM_CONFIGS[key].isPublic)
    .map((key) => [key, valueOf(key)] as const)
  const others = Object.entries(stored)
    .filter(([key, { is_public }]) => is_public && !isPlatformConfig(key))
    .map(([key, { value }]) => [key, value] as const)
  return Object.fromEntries([...ofPlatform, ...others])
}

/** Immutable settings, for tests and processes without a settings source. */
export function fixedSettings(snapshot?: PlatformSnapshot, nowMs: () => number = Date.now): PlatformSettings {
  return new PlatformSettings({ snapshot, origin: 'nowhere', refused: 0 }, nowMs)
}
