import type { Template } from '../mail/templates.ts'

/** Notifies the owner that Google can now sign in to the account. */
export const providerLinkedLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'Google was connected to your account',
    paragraphs: [
      'A Google account can now sign in to your Tapeline account.',
      'If this was not you, set a new password, sign in with it and disconnect Google.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Se ha conectado Google con tu cuenta',
    paragraphs: [
      'Ahora se puede iniciar sesión en tu cuenta de Tapeline con una cuenta de Google.',
      'Si no has sido tú, elige una contraseña nueva, inicia sesión con ella y desconecta Google.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Google est connecté à votre compte',
    paragraphs: [
      'Un compte Google permet désormais de se connecter à votre compte Tapeline.',
      'Si ce n’était pas vous, choisissez un nouveau mot de passe, connectez-vous avec lui et déconnectez Google.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const providerUnlinkedLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'Google was disconnected from your account',
    paragraphs: [
      'Google can no longer sign in to your Tapeline account. Your password still works.',
      'If this was not you, set a new password now.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Se ha desconectado Google de tu cuenta',
    paragraphs: [
      'Ya no se puede iniciar sesión en tu cuenta de Tapeline con Google. Tu contraseña sigue funcionando.',
      'Si no has sido tú, elige ahora una contraseña nueva.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Google est déconnecté de votre compte',
    paragraphs: [
      'Google ne permet plus de se connecter à votre compte Tapeline. Votre mot de passe fonctionne toujours.',
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})
