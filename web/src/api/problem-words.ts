import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { i18n } from '../language/i18n.ts'

/** The server answers in English. What a person can meet on these pages is said by its code in the other languages. */
const WORDS: Readonly<Record<string, MessageDescriptor>> = {
  'account.inactive': msg`This account is inactive.`,
  'account.last_admin': msg`This is the last admin: somebody has to stay one.`,
  'account.not_found': msg`There is no such account.`,
  'account.unavailable': msg`The account cannot be read at the moment. Please try again.`,
  'account_export.not_found': msg`There is no such export, or it has expired.`,
  'account_export.too_soon': msg`An export was made a short while ago. Please wait before the next one.`,
  'api_key.already_revoked': msg`This key is revoked already.`,
  'api_key.expiry_in_past': msg`The expiration date has passed.`,
  'api_key.limit_reached': msg`Your plan allows no more API keys.`,
  'api_key.not_found': msg`There is no such API key.`,
  'cursor.expired': msg`The data of this page has aged out. Start again from the first page.`,
  'cursor.invalid': msg`This page of the list does not exist. Start again from the first page.`,
  'email.already_verified': msg`This address is verified already.`,
  'email_link.invalid': msg`This link is invalid or has expired.`,
  'export.too_many': msg`Too many exports at once. Please try again in a moment.`,
  'feature.disabled': msg`This feature is switched off.`,
  'filter.invalid': msg`This filter is not valid.`,
  'flag.changed_meanwhile': msg`The flag was changed meanwhile.`,
  'flag.exists': msg`There is a flag with this key and role already.`,
  'flag.role_above_yours': msg`Flags of this role are not yours to change.`,
  'gateway.overloaded': msg`The API is overloaded at the moment. Please try again.`,
  'global_config.changed_meanwhile': msg`The configuration was changed meanwhile.`,
  'global_config.too_large': msg`The configuration is too large.`,
  'login.busy': msg`Too many sign-ins at the moment. Please try again.`,
  'mail.too_many': msg`Too many mails were asked for. Please wait before the next one.`,
  'oauth.already_connected': msg`A Google account is connected already.`,
  'oauth.last_sign_in': msg`Google is your only way to sign in: set a password first.`,
  'oauth.linked_elsewhere': msg`This Google account is connected with another account.`,
  'oauth.provider_away': msg`Google does not answer at the moment. Please try again.`,
  'password.too_common': msg`This password is too common.`,
  'password.too_weak': msg`Password does not meet the security requirements.`,
  'password.wrong': msg`The password is not right.`,
  'period.invalid': msg`This range of time is not valid.`,
  'request.forbidden': msg`You are not allowed to do this.`,
  'request.timed_out': msg`The answer took too long. Please try again.`,
  'request.too_large': msg`What was sent is too large.`,
  'request.unauthenticated': msg`Please sign in again.`,
  'service.failed': msg`Something failed on our side. Please try again.`,
  'service.unavailable': msg`This part of the platform is away at the moment. Please try again.`,
  'session.ended': msg`This session has ended. Please sign in again.`,
  'session.not_found': msg`This session has ended already.`,
  'settings.changed_meanwhile': msg`The settings were changed meanwhile.`,
  'sign_up.closed': msg`Signing up is closed at the moment.`,
  'sign_up.failed': msg`The account could not be created with these details.`,
  'subscription.changed_meanwhile': msg`The plan was changed meanwhile.`,
  'throttle.exceeded': msg`Too many requests. Please try again in a moment.`,
  'tier.changed_meanwhile': msg`The tiers were changed meanwhile.`,
  'tier.feature_not_included': msg`Your plan does not include this.`,
  'trial.already_running': msg`One trial at a time: cancel the one that runs first.`,
  'trial.already_used': msg`This plan was tried already.`,
  'trial.email_not_verified': msg`Verify your e-mail address first, then start the trial.`,
  'trial.not_offered': msg`No trial is offered for this plan.`,
  'trial.tier_included': msg`Your plan includes this one already.`,
  'upstream.timed_out': msg`The answer took too long. Please try again.`,
  'upstream.unavailable': msg`This part of the platform is away at the moment. Please try again.`,
}

/** In English nothing: the server's own words are more exact. */
export function problemWords(code: string | undefined): string | undefined {
  const words = code === undefined || i18n.locale === 'en' ? undefined : WORDS[code]
  return words === undefined ? undefined : i18n._(words)
}
