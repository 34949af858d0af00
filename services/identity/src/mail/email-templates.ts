import type { Template } from './templates.ts'

type Link = { url: string; hours: number }

export const verifyEmailLetter: Template<Link> = ({ url, hours }) => ({
  en: {
    subject: 'Verify your email address',
    paragraphs: [
      'Welcome to Tapeline. Please confirm that this address is yours.',
      `The link below works once, within ${hours} hours. Earlier links no longer work.`,
    ],
    action: { label: 'Verify this address', url },
  },
  es: {
    subject: 'Verifica tu dirección de correo',
    paragraphs: [
      'Te damos la bienvenida a Tapeline. Confirma que esta dirección es tuya.',
      `El enlace funciona una sola vez y durante ${hours} horas. Los enlaces anteriores ya no sirven.`,
    ],
    action: { label: 'Verificar esta dirección', url },
  },
  fr: {
    subject: 'Vérifiez votre adresse e-mail',
    paragraphs: [
      'Bienvenue chez Tapeline. Merci de confirmer que cette adresse est la vôtre.',
      `Le lien ci-dessous fonctionne une seule fois, pendant ${hours} heures. Les liens précédents ne fonctionnent plus.`,
    ],
    action: { label: 'Vérifier cette adresse', url },
  },
})

export const emailChangeLetter: Template<Link> = ({ url, hours }) => ({
  en: {
    subject: 'Confirm your new email address',
    paragraphs: [
      'We received a request to use this address for a Tapeline account.',
      `The link below works once, within ${hours} hours. The account keeps its old address until you open it.`,
      'If this was not you, you can ignore this mail.',
    ],
    action: { label: 'Use this address', url },
  },
  es: {
    subject: 'Confirma tu nueva dirección de correo',
    paragraphs: [
      'Alguien, probablemente tú, quiere usar esta dirección para su cuenta de Tapeline.',
      `El enlace funciona una sola vez y durante ${hours} horas. Hasta entonces la cuenta conserva su dirección anterior.`,
      'Si no has sido tú, no tienes que hacer nada.',
    ],
    action: { label: 'Usar esta dirección', url },
  },
  fr: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    paragraphs: [
      'Quelqu’un, sans doute vous, souhaite utiliser cette adresse pour son compte Tapeline.',
      `Le lien ci-dessous fonctionne une seule fois, pendant ${hours} heures. D’ici là, le compte garde son ancienne adresse.`,
      'Si ce n’était pas vous, il n’y a rien à faire.',
    ],
    action: { label: 'Utiliser cette adresse', url },
  },
})

export const emailTakenLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'This address already has an account',
    paragraphs: [
      'We received a request to use this address for another Tapeline account. The address stays with your account.',
      'If this was not you, you can ignore this mail. If you have forgotten your password, set a new one.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Esta dirección ya tiene una cuenta',
    paragraphs: [
      'Alguien, quizá tú, ha intentado usar esta dirección para otra cuenta de Tapeline. Pertenece a la tuya y así seguirá.',
      'Si no has sido tú, no tienes que hacer nada. Si has olvidado tu contraseña, elige una nueva.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Cette adresse a déjà un compte',
    paragraphs: [
      'Quelqu’un, peut-être vous, a voulu utiliser cette adresse pour un autre compte Tapeline. Elle appartient au vôtre et y reste.',
      'Si ce n’était pas vous, il n’y a rien à faire. Si vous avez oublié votre mot de passe, choisissez-en un nouveau.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const emailChangeRequestedLetter: Template<{ url: string }> = ({ url }) => ({
  en: {
    subject: 'Your email address is about to change',
    paragraphs: [
      'A change of the email address of your Tapeline account was requested with your password. It takes effect when the new address is confirmed.',
      'If this was not you, set a new password now: this cancels the change.',
    ],
    action: { label: 'Set a new password', url },
  },
  es: {
    subject: 'Tu dirección de correo está a punto de cambiar',
    paragraphs: [
      'Alguien que conoce tu contraseña ha pedido otra dirección para tu cuenta de Tapeline. Cambiará cuando se confirme la nueva.',
      'Si no has sido tú, elige ahora una contraseña nueva: eso anula el cambio.',
    ],
    action: { label: 'Elegir una contraseña nueva', url },
  },
  fr: {
    subject: 'Votre adresse e-mail va changer',
    paragraphs: [
      'Quelqu’un qui connaît votre mot de passe a demandé une autre adresse pour votre compte Tapeline. Elle changera dès que la nouvelle sera confirmée.',
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : cela annule le changement.',
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
  },
})

export const emailChangedLetter: Template<object> = () => ({
  en: {
    subject: 'Your email address was changed',
    paragraphs: [
      'Your Tapeline account now has a different email address. You can no longer sign in with this one.',
      'If this was not you, contact support immediately.',
    ],
  },
  es: {
    subject: 'Tu dirección de correo ha cambiado',
    paragraphs: [
      'Tu cuenta de Tapeline tiene ahora otra dirección de correo. Ya no puedes iniciar sesión con esta.',
      'Si no has sido tú, escribe enseguida a nuestro soporte.',
    ],
  },
  fr: {
    subject: 'Votre adresse e-mail a changé',
    paragraphs: [
      'Votre compte Tapeline a maintenant une autre adresse e-mail. Vous ne pouvez plus vous connecter avec celle-ci.',
      'Si ce n’était pas vous, écrivez tout de suite à notre support.',
    ],
  },
})
