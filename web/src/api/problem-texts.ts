import { msg } from '@lingui/core/macro'
import type { ErrorCode } from '@tapeline/contracts/error-code'

/**
 * Texts of the problems that these pages can show, by code, for the catalogs of the other languages. No page loads this
 * file: in English the more specific text of the server is shown.
 */
export const problemTexts = {
  'account.inactive': msg({ id: 'problem account.inactive', message: 'This account is inactive.' }),
  'account.last_admin': msg({
    id: 'problem account.last_admin',
    message: 'This is the last admin. Make another account an admin first.',
  }),
  'account.not_found': msg({ id: 'problem account.not_found', message: 'There is no such account.' }),
  'account.unavailable': msg({
    id: 'problem account.unavailable',
    message: 'The account cannot be read at the moment. Please try again.',
  }),
  'account_export.not_found': msg({
    id: 'problem account_export.not_found',
    message: 'There is no such export, or it has expired.',
  }),
  'account_export.too_soon': msg({
    id: 'problem account_export.too_soon',
    message: 'An export was created recently. Please wait before the next one.',
  }),
  'api_key.already_revoked': msg({ id: 'problem api_key.already_revoked', message: 'This key is already revoked.' }),
  'api_key.expiry_in_past': msg({
    id: 'problem api_key.expiry_in_past',
    message: 'The expiration date must be in the future.',
  }),
  'api_key.limit_reached': msg({ id: 'problem api_key.limit_reached', message: 'Your plan allows no more API keys.' }),
  'api_key.no_old_secret': msg({
    id: 'problem api_key.no_old_secret',
    message: 'This key has no old secret that is still valid.',
  }),
  'api_key.not_found': msg({ id: 'problem api_key.not_found', message: 'There is no such API key.' }),
  'cursor.expired': msg({
    id: 'problem cursor.expired',
    message: 'The data of this page is no longer stored. Start again from the first page.',
  }),
  'cursor.invalid': msg({
    id: 'problem cursor.invalid',
    message: 'This page of the list does not exist. Start again from the first page.',
  }),
  'device_login.not_found': msg({
    id: 'problem device_login.not_found',
    message: 'No device is waiting for this code. Check it, or start again on the device.',
  }),
  'email.already_verified': msg({ id: 'problem email.already_verified', message: 'This address is already verified.' }),
  'email_link.invalid': msg({ id: 'problem email_link.invalid', message: 'This link is invalid or has expired.' }),
  'export.too_many': msg({
    id: 'problem export.too_many',
    message: 'Too many exports at once. Please try again in a moment.',
  }),
  'feature.disabled': msg({ id: 'problem feature.disabled', message: 'This feature is disabled.' }),
  'filter.invalid': msg({ id: 'problem filter.invalid', message: 'This filter is not valid.' }),
  'flag.changed_meanwhile': msg({
    id: 'problem flag.changed_meanwhile',
    message: 'The flag was changed in the meantime.',
  }),
  'flag.exists': msg({ id: 'problem flag.exists', message: 'A flag with this key and role already exists.' }),
  'flag.role_above_yours': msg({
    id: 'problem flag.role_above_yours',
    message: 'You cannot change flags of this role.',
  }),
  'gateway.overloaded': msg({
    id: 'problem gateway.overloaded',
    message: 'The API is overloaded at the moment. Please try again.',
  }),
  'global_config.changed_meanwhile': msg({
    id: 'problem global_config.changed_meanwhile',
    message: 'The configuration was changed in the meantime.',
  }),
  'global_config.too_large': msg({ id: 'problem global_config.too_large', message: 'The configuration is too large.' }),
  'login.busy': msg({ id: 'problem login.busy', message: 'Too many sign-ins at the moment. Please try again.' }),
  'mail.too_many': msg({
    id: 'problem mail.too_many',
    message: 'Too many emails were requested. Please wait before the next one.',
  }),
  'oauth.already_connected': msg({
    id: 'problem oauth.already_connected',
    message: 'A Google account is already connected.',
  }),
  'oauth.last_sign_in': msg({
    id: 'problem oauth.last_sign_in',
    message: 'Google is your only way to sign in: set a password first.',
  }),
  'oauth.linked_elsewhere': msg({
    id: 'problem oauth.linked_elsewhere',
    message: 'This Google account is connected to another account.',
  }),
  'oauth.provider_away': msg({
    id: 'problem oauth.provider_away',
    message: 'Google does not answer at the moment. Please try again.',
  }),
  'password.too_common': msg({ id: 'problem password.too_common', message: 'This password is too common.' }),
  'password.too_weak': msg({
    id: 'problem password.too_weak',
    message: 'Password does not meet the security requirements.',
  }),
  'password.wrong': msg({ id: 'problem password.wrong', message: 'The password is incorrect.' }),
  'period.invalid': msg({ id: 'problem period.invalid', message: 'This time range is not valid.' }),
  'request.forbidden': msg({ id: 'problem request.forbidden', message: 'You are not allowed to do this.' }),
  'request.timed_out': msg({
    id: 'problem request.timed_out',
    message: 'The request was not sent in time. Please try again.',
  }),
  'request.too_large': msg({ id: 'problem request.too_large', message: 'The request is too large.' }),
  'request.unauthenticated': msg({ id: 'problem request.unauthenticated', message: 'Please sign in again.' }),
  'service.failed': msg({ id: 'problem service.failed', message: 'Something failed on our side. Please try again.' }),
  'service.unavailable': msg({
    id: 'problem service.unavailable',
    message: 'This part of the platform is unavailable at the moment. Please try again.',
  }),
  'session.ended': msg({ id: 'problem session.ended', message: 'This session has ended. Please sign in again.' }),
  'session.not_found': msg({ id: 'problem session.not_found', message: 'This session has already ended.' }),
  'settings.changed_meanwhile': msg({
    id: 'problem settings.changed_meanwhile',
    message: 'The settings were changed in the meantime.',
  }),
  'sign_up.closed': msg({ id: 'problem sign_up.closed', message: 'Signing up is closed at the moment.' }),
  'sign_up.failed': msg({
    id: 'problem sign_up.failed',
    message: 'The account could not be created with these details.',
  }),
  'subscription.changed_meanwhile': msg({
    id: 'problem subscription.changed_meanwhile',
    message: 'The plan was changed in the meantime.',
  }),
  'throttle.exceeded': msg({
    id: 'problem throttle.exceeded',
    message: 'Too many requests. Please try again in a moment.',
  }),
  'tier.changed_meanwhile': msg({
    id: 'problem tier.changed_meanwhile',
    message: 'The tiers were changed in the meantime.',
  }),
  'tier.feature_not_included': msg({
    id: 'problem tier.feature_not_included',
    message: 'Your plan does not include this.',
  }),
  'trial.already_running': msg({
    id: 'problem trial.already_running',
    message: 'Only one trial at a time: cancel the current one first.',
  }),
  'trial.already_used': msg({ id: 'problem trial.already_used', message: 'You have already tried this plan.' }),
  'trial.email_not_verified': msg({
    id: 'problem trial.email_not_verified',
    message: 'Verify your email address first, then start the trial.',
  }),
  'trial.not_offered': msg({ id: 'problem trial.not_offered', message: 'No trial is offered for this plan.' }),
  'trial.tier_included': msg({ id: 'problem trial.tier_included', message: 'Your plan already includes this one.' }),
  'upstream.timed_out': msg({
    id: 'problem upstream.timed_out',
    message: 'The service did not respond in time. Please try again.',
  }),
  'upstream.unavailable': msg({
    id: 'problem upstream.unavailable',
    message: 'This part of the platform is unavailable at the moment. Please try again.',
  }),
} as const satisfies Partial<Record<ErrorCode, object>>
