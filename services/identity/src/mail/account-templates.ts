import type { Language } from './language.ts'
import type { Template } from './templates.ts'

function dayIn(language: Language, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
}

export const deletionRequestedLetter: Template<{ url: string; dueAt: string }> = ({ url, dueAt }) => ({
  en: {
    subject: 'Your account will be deleted',
    paragraphs: [
      'As you requested, your Tapeline account is closed. All sessions have ended, and its API keys are permanently revoked.',
      `Its data will be deleted on ${dayIn('en', dueAt)}. To keep the account, sign in before then. You can create new keys afterwards.`,
      'If this was not you, sign in and change your password.',
    ],
    action: { label: 'Sign in and keep the account', url },
  },
  es: {
    subject: 'Tu cuenta se va a eliminar',
    paragraphs: [
      'Como has pedido, tu cuenta de Tapeline está cerrada: todas las sesiones han terminado y sus claves de API se han revocado definitivamente.',
      `El ${dayIn('es', dueAt)} se eliminarán sus datos. Para conservar la cuenta, inicia sesión antes; después podrás crear claves nuevas.`,
      'Si no has sido tú, inicia sesión y cambia tu contraseña.',
    ],
    action: { label: 'Iniciar sesión y conservar la cuenta', url },
  },
  fr: {
    subject: 'Votre compte va être supprimé',
    paragraphs: [
      'Comme vous l’avez demandé, votre compte Tapeline est fermé : toutes les sessions ont pris fin et ses clés API sont révoquées définitivement.',
      `Le ${dayIn('fr', dueAt)}, ses données seront supprimées. Pour garder le compte, connectez-vous avant ; vous pourrez ensuite créer de nouvelles clés.`,
      'Si ce n’était pas vous, connectez-vous et changez votre mot de passe.',
    ],
    action: { label: 'Se connecter et garder le compte', url },
  },
})

export const deletionCancelledLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'Your account will not be deleted',
    paragraphs: [
      'You signed in again, so your Tapeline account will not be deleted. Its revoked API keys stay revoked.',
      'If this was not you, set a new password now.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Tu cuenta se conserva',
    paragraphs: [
      'Has vuelto a iniciar sesión, así que tu cuenta de Tapeline no se elimina. Las claves de API revocadas siguen revocadas.',
      'Si no has sido tú, elige ahora una contraseña nueva.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Votre compte est conservé',
    paragraphs: [
      'Vous vous êtes reconnecté : votre compte Tapeline n’est pas supprimé. Les clés API révoquées le restent.',
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const accountDeletedLetter: Template<object> = () => ({
  en: {
    subject: 'Your account was deleted',
    paragraphs: ['Your Tapeline account and its personal data were deleted. This is the last mail about it.'],
  },
  es: {
    subject: 'Tu cuenta se ha eliminado',
    paragraphs: [
      'Tu cuenta de Tapeline y sus datos personales se han eliminado. Este es el último mensaje sobre ella.',
    ],
  },
  fr: {
    subject: 'Votre compte est supprimé',
    paragraphs: [
      'Votre compte Tapeline et ses données personnelles sont supprimés. C’est le dernier message à son sujet.',
    ],
  },
})

export const exportReadyLetter: Template<{ url: string; expiresAt: string }> = ({ url, expiresAt }) => ({
  en: {
    subject: 'Your data is ready',
    paragraphs: [
      'The file with the data of your Tapeline account is ready. Anyone with the link below can download it, so do not share it.',
      `It will be deleted on ${dayIn('en', expiresAt)}.`,
    ],
    action: { label: 'Download my data', url },
  },
  es: {
    subject: 'Tus datos están listos',
    paragraphs: [
      'El archivo con los datos de tu cuenta de Tapeline está listo. Quien tenga el enlace puede descargarlo: no lo compartas.',
      `Se eliminará el ${dayIn('es', expiresAt)}.`,
    ],
    action: { label: 'Descargar mis datos', url },
  },
  fr: {
    subject: 'Vos données sont prêtes',
    paragraphs: [
      'Le fichier avec les données de votre compte Tapeline est prêt. Quiconque a le lien ci-dessous peut le prendre : ne le partagez pas.',
      `Il sera supprimé le ${dayIn('fr', expiresAt)}.`,
    ],
    action: { label: 'Télécharger mes données', url },
  },
})
