export type SignupValues = {
  first_name: string
  last_name: string
  email: string
  mobile: string
  password: string
  confirmation: string
  hasAgreed: boolean
}

export type SignupField = Exclude<keyof SignupValues, 'hasAgreed'>
export type SignupErrors = Partial<Record<SignupField | 'form', string>>

const PASSWORD_CHARACTERS_MIN = 8

const REQUIRED: Record<SignupField, string> = {
  first_name: 'Enter your first name',
  last_name: 'Enter your last name',
  email: 'Enter your email',
  mobile: 'Enter your mobile number',
  password: 'Choose a password',
  confirmation: 'Repeat the password',
}

/** Coarse on purpose: whether the address works is known only when mail arrives. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
}

export function checkSignup(values: SignupValues): SignupErrors {
  const errors: SignupErrors = {}
  for (const field of FIELDS) if (values[field].trim() === '') errors[field] = REQUIRED[field]
  if (errors.email === undefined && !isEmail(values.email)) {
    errors.email = 'Enter an email address, like name@example.com'
  }
  if (errors.password === undefined && values.password.length < PASSWORD_CHARACTERS_MIN) {
    errors.password = `Use at least ${PASSWORD_CHARACTERS_MIN} characters`
  }
  if (errors.confirmation === undefined && values.confirmation !== values.password) {
    errors.confirmation = 'Passwords do not match'
  }
  if (!values.hasAgreed) errors.form = 'Please agree to the terms and conditions'
  return errors
}

const FIELDS: readonly SignupField[] = ['first_name', 'last_name', 'email', 'mobile', 'password', 'confirmation']
