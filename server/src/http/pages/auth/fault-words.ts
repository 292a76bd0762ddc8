/** The words of refusals on the pages on which members sign in, by the reason of the refusal. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { Refusal } from '../../../core/errors.ts'

export const faultWords = (language: MailLanguage): FaultWords =>
  ({ en: english, de: german, fr: french })[language]

/** What a refusal is about: another address may help, or not. */
const addressReasons: ReadonlySet<unknown> = new Set(['no_account', 'foreign_domain', 'no_company'])

export function faultTitle(
  { titles }: FaultWords,
  { code, details }: Pick<Refusal, 'code' | 'details'>,
): string {
  const reason = details.data?.['reason']
  if (code === 'access_denied') {
    return addressReasons.has(reason) ? titles.address : titles.other
  }
  if (code === 'forbidden_origin') return titles.blocked
  if (code === 'gone') return titles.gone
  if (code === 'not_found') return titles.link
  return code === 'rate_limited' ? titles.limited : titles.other
}

const english = {
  titles: {
    address: 'You can’t sign in with this address',
    blocked: 'Request blocked',
    gone: 'This link no longer works',
    link: 'This link does not work',
    limited: 'Too many attempts',
    other: 'That didn’t work',
  },
  /** By where the link leads. */
  labels: {
    '/': 'Home',
    '/b': 'Go to the dashboard',
    '/login': 'Go to sign-in',
    '/confirm': 'Set it up',
  } as Record<string, string>,
  signedIn: (email: string) => `You are already signed in as ${email} in this browser.`,
  /** In English each refusal has its own. */
  messages: {} as Record<string, string>,
}

export type FaultWords = typeof english

const german: FaultWords = {
  titles: {
    address: 'Mit dieser Adresse können Sie sich nicht anmelden',
    blocked: 'Anfrage abgewiesen',
    gone: 'Dieser Link gilt nicht mehr',
    link: 'Dieser Link funktioniert nicht',
    limited: 'Zu viele Versuche',
    other: 'Das hat nicht geklappt',
  },
  labels: {
    '/': 'Startseite',
    '/b': 'Zur Übersicht',
    '/login': 'Zur Anmeldung',
    '/confirm': 'Einrichten',
  },
  signedIn: (email) => `Sie sind in diesem Browser schon als ${email} angemeldet.`,
  messages: {
    no_account:
      'Zu dieser Adresse gibt es hier kein Konto. Bitten Sie einen Inhaber, Sie einzuladen.',
    company_only:
      'Personen Ihrer Firma melden sich nur über die Firma an. Geben Sie Ihre Adresse auf der Anmeldeseite ein; sie führt Sie dorthin.',
    second_factor:
      'Hier brauchen Sie einen zweiten Faktor und haben noch keinen. Melden Sie sich bei Crier an, richten Sie einen ein, und verbinden Sie die App erneut.',
    new_factor:
      'Ihr zweiter Faktor wurde allein mit Ihrem Postfach eingerichtet und gilt darum erst nach einem Tag. Ein Inhaber kann ihn auf der Seite „Mitglieder“ sofort bestätigen.',
    no_link:
      'Diesen Link gibt es nicht. Kopieren Sie den ganzen Link aus der E-Mail, oder fordern Sie einen neuen an.',
    link_used: 'Dieser Link wurde schon verwendet. Fordern Sie einen neuen an.',
    link_expired: 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
    link_used_in_app: 'Dieser Link wurde schon verwendet. Beginnen Sie in der App von vorn.',
    link_expired_in_app: 'Dieser Link ist abgelaufen. Beginnen Sie in der App von vorn.',
    changed_meanwhile: 'Das ist gerade eben schon geschehen. Beginnen Sie von vorn.',
    other_browser: 'Dieser Link wurde in einem anderen Browser angefordert.',
    too_many_codes:
      'Zu viele falsche Codes: Dieser Link gilt nicht mehr. Beginnen Sie in der App von vorn.',
    foreign_form: 'Dieses Formular kam von einer anderen Website. Es wurde darum nichts geändert.',
    form_expired:
      'Dieses Formular ist abgelaufen, oder der Browser blockiert Cookies. Öffnen Sie die Seite neu.',
    has_factor:
      'Sie haben schon einen zweiten Faktor. Ändern Sie ihn in der App unter „Sitzungen“.',
    app_not_started: 'Das hat länger als eine halbe Stunde gedauert. Beginnen Sie von vorn.',
    address_undone: 'Diese Änderung der Adresse wurde schon rückgängig gemacht.',
    address_undo_over: 'Eine Änderung der Adresse kann 7 Tage lang rückgängig gemacht werden.',
    address_changed: 'Die Adresse wurde schon geändert.',
    address_expired:
      'Dieser Link ist abgelaufen. Beginnen Sie die Änderung unter „Sitzungen“ von vorn.',
    address_changed_otherwise:
      'Die Adresse wurde inzwischen anders geändert. Beginnen Sie die Änderung von vorn.',
    address_taken: 'Diese Adresse gehört inzwischen zu einem anderen Konto.',
    no_address_link: 'Diesen Link gibt es nicht. Kopieren Sie den ganzen Link aus der E-Mail.',
  },
}

const french: FaultWords = {
  titles: {
    address: 'Vous ne pouvez pas vous connecter avec cette adresse',
    blocked: 'Demande refusée',
    gone: 'Ce lien n’est plus valable',
    link: 'Ce lien ne fonctionne pas',
    limited: 'Trop de tentatives',
    other: 'Cela n’a pas fonctionné',
  },
  labels: {
    '/': 'Accueil',
    '/b': 'Aller au tableau de bord',
    '/login': 'Aller à la connexion',
    '/confirm': 'Le configurer',
  },
  signedIn: (email) => `Vous êtes déjà connecté en tant que ${email} dans ce navigateur.`,
  messages: {
    no_account: 'Cette adresse n’a pas de compte ici. Demandez à un propriétaire de vous inviter.',
    company_only:
      'Les personnes de votre entreprise se connectent uniquement par elle. Saisissez votre adresse sur la page de connexion : elle vous y conduit.',
    second_factor:
      'Un second facteur est exigé de vous ici, et vous n’en avez pas encore. Connectez-vous à Crier, configurez-en un, puis connectez de nouveau l’application.',
    new_factor:
      'Votre second facteur a été configuré avec votre seule messagerie : il ne compte qu’après un jour. Un propriétaire peut le confirmer aussitôt, sur la page « Membres ».',
    no_link: 'Ce lien n’existe pas. Copiez le lien entier de l’e-mail, ou demandez-en un nouveau.',
    link_used: 'Ce lien a déjà servi. Demandez-en un nouveau.',
    link_expired: 'Ce lien a expiré. Demandez-en un nouveau.',
    link_used_in_app: 'Ce lien a déjà servi. Recommencez dans l’application.',
    link_expired_in_app: 'Ce lien a expiré. Recommencez dans l’application.',
    changed_meanwhile: 'Cela vient d’être fait. Recommencez.',
    other_browser: 'Ce lien a été demandé dans un autre navigateur.',
    too_many_codes:
      'Trop de codes erronés : ce lien n’est plus valable. Recommencez dans l’application.',
    foreign_form: 'Ce formulaire vient d’un autre site : rien n’a été modifié.',
    form_expired:
      'Ce formulaire a expiré, ou le navigateur bloque les cookies. Ouvrez de nouveau la page.',
    has_factor:
      'Vous avez déjà un second facteur. Modifiez-le dans l’application, sous « Sessions ».',
    app_not_started: 'Cela a pris plus d’une demi-heure. Recommencez.',
    address_undone: 'Ce changement d’adresse a déjà été annulé.',
    address_undo_over: 'Un changement d’adresse peut être annulé pendant 7 jours.',
    address_changed: 'L’adresse a déjà été changée.',
    address_expired: 'Ce lien a expiré. Recommencez le changement sous « Sessions ».',
    address_changed_otherwise:
      'L’adresse a été changée autrement entre-temps. Recommencez le changement.',
    address_taken: 'Cette adresse appartient désormais à un autre compte.',
    no_address_link: 'Ce lien n’existe pas. Copiez le lien entier de l’e-mail.',
  },
}
