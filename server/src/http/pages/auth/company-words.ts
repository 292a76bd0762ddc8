/** The words of signing in at a company's identity provider. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'

export const companyWords = (language: MailLanguage): CompanyWords =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  title: 'Sign in with your company account',
  /** Before the host of the provider. */
  leads: 'You are being taken to ',
  go: 'Continue',
  signIn: 'Sign in',
  firstTitle: 'You already have an account',
  /** Around the address. */
  firstText: [
    'There is already an account for ',
    '. Sign in to it once as you did before. Then you can link it to your company account.',
  ],
  linkTitle: 'Link your company account',
  /** Around the provider's host and the address. */
  linkText: ['From now on, whoever signs in at ', ' as you is signed in here as ', '.'],
  link: 'Link the accounts',
  notYou: 'If you did not request this, close the page. Nothing has happened.',
  /** By the reason of the refusal. */
  faults: {
    provider_not_accepted:
      'The sign-in at your company was not accepted. Try again, or sign in by email where your company allows it.',
    provider_cancelled:
      'Your company did not sign you in. Try again, or sign in by email where your company allows it.',
    unknown_sign_in: 'This sign-in was not begun here. Start again.',
    other_browser: 'This sign-in was begun in another browser. Start again in this one.',
    company_changed: 'The company sign-in was changed meanwhile. Start again.',
    sign_in_over: 'This sign-in has been used, or is older than 10 minutes. Start again.',
    no_address:
      'Your company did not tell us your email address. Ask its administrator to release it to Crier.',
    address_not_verified:
      'Your company has not verified your email address. Sign in by email, or ask whoever runs Crier to trust your company’s addresses.',
    no_company: 'There is no company sign-in for this address. Sign in by email.',
    foreign_domain: 'Your company’s sign-in is not for people of this mail domain.',
    too_many_groups:
      'You are in more groups than your company’s sign-in names. Ask its administrator to send only the groups of this application, or ask an owner here to invite you.',
    no_group:
      'None of your groups at your company has a role here. Ask an owner to invite you, or to give one of your groups a role.',
  },
}

export type CompanyWords = typeof english

const german: CompanyWords = {
  title: 'Mit dem Firmenkonto anmelden',
  leads: 'Sie werden weitergeleitet zu ',
  go: 'Weiter',
  signIn: 'Anmelden',
  firstTitle: 'Sie haben bereits ein Konto',
  firstText: [
    'Es gibt bereits ein Konto für ',
    '. Melden Sie sich einmal wie bisher an. Danach können Sie es mit Ihrem Firmenkonto verknüpfen.',
  ],
  linkTitle: 'Firmenkonto verknüpfen',
  linkText: ['Wer sich ab jetzt bei ', ' als Sie anmeldet, ist hier angemeldet als ', '.'],
  link: 'Konten verknüpfen',
  notYou: 'Wenn Sie das nicht angefordert haben, schließen Sie die Seite. Es ist nichts passiert.',
  faults: {
    provider_not_accepted:
      'Die Anmeldung bei Ihrer Firma wurde nicht angenommen. Versuchen Sie es erneut, oder melden Sie sich per E-Mail an, wenn Ihre Firma das zulässt.',
    provider_cancelled:
      'Ihre Firma hat Sie nicht angemeldet. Versuchen Sie es erneut, oder melden Sie sich per E-Mail an, wenn Ihre Firma das zulässt.',
    unknown_sign_in: 'Diese Anmeldung wurde nicht hier begonnen. Beginnen Sie von vorn.',
    other_browser:
      'Diese Anmeldung wurde in einem anderen Browser begonnen. Beginnen Sie hier von vorn.',
    company_changed: 'Die Firmenanmeldung wurde inzwischen geändert. Beginnen Sie von vorn.',
    sign_in_over:
      'Diese Anmeldung wurde schon verwendet oder ist älter als 10 Minuten. Beginnen Sie von vorn.',
    no_address:
      'Ihre Firma hat uns Ihre E-Mail-Adresse nicht mitgeteilt. Bitten Sie deren Administrator, sie für Crier freizugeben.',
    address_not_verified:
      'Ihre Firma hat Ihre E-Mail-Adresse nicht bestätigt. Melden Sie sich per E-Mail an, oder bitten Sie den Betreiber von Crier, den Adressen Ihrer Firma zu vertrauen.',
    no_company: 'Für diese Adresse gibt es keine Firmenanmeldung. Melden Sie sich per E-Mail an.',
    foreign_domain: 'Die Anmeldung Ihrer Firma gilt nicht für Personen dieser Mail-Domain.',
    too_many_groups:
      'Sie sind in mehr Gruppen, als die Anmeldung Ihrer Firma nennt. Bitten Sie deren Administrator, nur die Gruppen dieser Anwendung zu senden, oder bitten Sie hier einen Inhaber, Sie einzuladen.',
    no_group:
      'Keine Ihrer Gruppen in Ihrer Firma hat hier eine Rolle. Bitten Sie einen Inhaber, Sie einzuladen oder einer Ihrer Gruppen eine Rolle zu geben.',
  },
}

const french: CompanyWords = {
  title: 'Se connecter avec le compte de l’entreprise',
  leads: 'Vous allez être redirigé vers ',
  go: 'Continuer',
  signIn: 'Se connecter',
  firstTitle: 'Vous avez déjà un compte',
  firstText: [
    'Il existe déjà un compte pour ',
    '. Connectez-vous une fois comme avant. Vous pourrez ensuite le lier à votre compte d’entreprise.',
  ],
  linkTitle: 'Lier votre compte d’entreprise',
  linkText: [
    'Désormais, qui se connecte chez ',
    ' en votre nom est connecté ici en tant que ',
    '.',
  ],
  link: 'Lier les comptes',
  notYou: 'Si vous n’avez rien demandé, fermez cette page. Il ne s’est rien passé.',
  faults: {
    provider_not_accepted:
      'La connexion auprès de votre entreprise n’a pas été acceptée. Réessayez, ou connectez-vous par e-mail si votre entreprise le permet.',
    provider_cancelled:
      'Votre entreprise ne vous a pas connecté. Réessayez, ou connectez-vous par e-mail si votre entreprise le permet.',
    unknown_sign_in: 'Cette connexion n’a pas commencé ici. Recommencez.',
    other_browser:
      'Cette connexion a commencé dans un autre navigateur. Recommencez dans celui-ci.',
    company_changed: 'La connexion d’entreprise a été modifiée entre-temps. Recommencez.',
    sign_in_over: 'Cette connexion a déjà servi, ou date de plus de 10 minutes. Recommencez.',
    no_address:
      'Votre entreprise ne nous a pas communiqué votre adresse e-mail. Demandez à son administrateur de la transmettre à Crier.',
    address_not_verified:
      'Votre entreprise n’a pas vérifié votre adresse e-mail. Connectez-vous par e-mail, ou demandez à l’exploitant de Crier de faire confiance aux adresses de votre entreprise.',
    no_company:
      'Il n’y a pas de connexion d’entreprise pour cette adresse. Connectez-vous par e-mail.',
    foreign_domain:
      'La connexion de votre entreprise ne vaut pas pour les personnes de ce domaine de messagerie.',
    too_many_groups:
      'Vous appartenez à plus de groupes que la connexion de votre entreprise n’en transmet. Demandez à son administrateur de n’envoyer que les groupes de cette application, ou demandez à un propriétaire de vous inviter ici.',
    no_group:
      'Aucun de vos groupes n’a de rôle ici. Demandez à un propriétaire de vous inviter, ou de donner un rôle à l’un de vos groupes.',
  },
}
