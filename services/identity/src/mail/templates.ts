import type { Language } from './language.ts'

/** Content of a mail: paragraphs, an optional list, and at most one link. */
export type Letter = {
  subject: string
  paragraphs: string[]
  facts?: string[]
  action?: { label: string; url: string } | undefined
  /** Why the mail was sent, when it is not about an account. */
  footer?: string
}

export type Template<Data> = (data: Data) => Record<Language, Letter>
type Link = { url: string; minutes: number }

export const passwordResetLetter: Template<Link> = ({ url, minutes }) => ({
  en: {
    subject: 'Set a new password',
    paragraphs: [
      'We received a request to reset the password of your Tapeline account.',
      `The link below works once, within ${minutes} minutes. Earlier links no longer work.`,
      'If you did not request this, you can ignore this mail. Your password stays the same.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Elige una contraseña nueva',
    paragraphs: [
      'Alguien, probablemente tú, ha pedido una contraseña nueva para tu cuenta de Tapeline.',
      `El enlace funciona una sola vez y durante ${minutes} minutos. Los enlaces anteriores ya no sirven.`,
      'Si no has sido tú, no tienes que hacer nada: tu contraseña sigue siendo la misma.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Choisissez un nouveau mot de passe',
    paragraphs: [
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte Tapeline.',
      `Le lien ci-dessous fonctionne une seule fois, pendant ${minutes} minutes. Les liens précédents ne fonctionnent plus.`,
      'Si ce n’était pas vous, il n’y a rien à faire : votre mot de passe reste le même.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const deviceLinkLetter: Template<Link> = ({ url, minutes }) => ({
  en: {
    subject: 'Sign in on a new browser',
    paragraphs: [
      'Sign-in to your Tapeline account is delayed because of repeated wrong passwords. You, or someone else, requested a link that skips the delay.',
      `Open the link in the browser you want to sign in with. It works once, for ${minutes} minutes; you still need your password.`,
      'If you did not request it, ignore this mail: your account is safe, and only you receive the link.',
    ],
    action: { label: 'Allow this browser', url },
  },
  es: {
    subject: 'Inicia sesión en un navegador nuevo',
    paragraphs: [
      'El inicio de sesión en tu cuenta de Tapeline está retrasado por varias contraseñas erróneas. Tú u otra persona ha pedido un enlace que evita la espera.',
      `Abre el enlace en el navegador con el que quieres iniciar sesión. Funciona una sola vez, durante ${minutes} minutos; seguirás necesitando tu contraseña.`,
      'Si no lo has pedido, ignora este mensaje: tu cuenta está segura y solo tú recibes el enlace.',
    ],
    action: { label: 'Permitir este navegador', url },
  },
  fr: {
    subject: 'Connectez-vous depuis un nouveau navigateur',
    paragraphs: [
      'La connexion à votre compte Tapeline est retardée par plusieurs mots de passe erronés. Vous, ou une autre personne, avez demandé un lien qui évite l’attente.',
      `Ouvrez le lien dans le navigateur avec lequel vous voulez vous connecter. Il fonctionne une seule fois, pendant ${minutes} minutes ; votre mot de passe reste nécessaire.`,
      'Si vous ne l’avez pas demandé, ignorez ce message : votre compte est en sécurité et vous seul recevez le lien.',
    ],
    action: { label: 'Autoriser ce navigateur', url },
  },
})

export const passwordChangedLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Tapeline account was just changed, and the other sessions were signed out.',
      'If this was not you, set a new password now.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Tu contraseña ha cambiado',
    paragraphs: [
      'La contraseña de tu cuenta de Tapeline se acaba de cambiar y se han cerrado las demás sesiones.',
      'Si no has sido tú, elige ahora una contraseña nueva.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Votre mot de passe a changé',
    paragraphs: [
      'Le mot de passe de votre compte Tapeline vient d’être changé, et les autres sessions ont été fermées.',
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const signUpTriedLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'You already have an account',
    paragraphs: [
      'Someone tried to sign up with this address, which already has a Tapeline account.',
      'Sign in as usual, or set a new password if you have forgotten it. If this was not you, you can ignore this mail.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Ya tienes una cuenta',
    paragraphs: [
      'Alguien, probablemente tú, ha intentado registrarse en Tapeline con esta dirección, que ya tiene una cuenta.',
      'Inicia sesión como siempre o elige una contraseña nueva si la has olvidado. Si no has sido tú, no hagas nada.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Vous avez déjà un compte',
    paragraphs: [
      'Quelqu’un, sans doute vous, a voulu s’inscrire à Tapeline avec cette adresse, qui a déjà un compte.',
      'Connectez-vous comme d’habitude, ou choisissez un nouveau mot de passe si vous l’avez oublié. Sinon, ignorez ce message.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})
