/** The words of the mails about second factors, in the languages of the mails for members. */
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'
import type { EventDetails, FactorEvent } from './factor.ts'

interface Notice {
  event: FactorEvent
  details: EventDetails
  at: Date
}

/** What is told to who decides about a member, and as what they are told. */
const memberEvents: Partial<Record<FactorEvent, 'owner' | 'admin'>> = {
  gone: 'owner',
  owner_gone: 'admin',
  refuses_many: 'owner',
  member_unlinked: 'owner',
  first_factor: 'owner',
  first_factor_waits: 'owner',
}

export function factorMailWords(
  language: MailLanguage,
  { event, details, at }: Notice,
): ServiceMailWords {
  const locale = language === 'en' ? 'en-GB' : language
  const momentOf = (time: Date) =>
    time.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const named = {
    business: withoutLinks(details.business ?? ''),
    email: withoutLinks(details.email ?? ''),
    browser: details.browser ?? '',
    at: momentOf(details.at === undefined ? at : new Date(details.at)),
  }
  const words = { en: english, de: german, fr: french }[language]
  const { button, otherwise } = memberEvents[event] ? words[memberEvents[event]] : words
  const [subject, message, terms] = words.of[event](momentOf(at), named)
  return { subject, message, button, terms, otherwise }
}

interface Words {
  button: string
  otherwise: string
  /** In place of these, where an owner or an admin is told of a member. */
  owner: { button: string; otherwise: string }
  admin: { button: string; otherwise: string }
  /** The subject, the message, and what follows from it. */
  of: Record<
    FactorEvent,
    (
      moment: string,
      details: Required<Omit<EventDetails, 'businessId'>>,
    ) => [string, string, string]
  >
}

const english: Words = {
  button: 'See your sign-in methods',
  otherwise:
    'If this wasn’t you, someone can read your email or use your browser: change your mailbox’s password, end all other sessions, and tell an owner of your business.',
  owner: {
    button: 'See the members',
    otherwise: 'You get this because you are an owner of the business.',
  },
  admin: {
    button: 'See the members',
    otherwise: 'You get this because you are an admin of the business.',
  },
  of: {
    app_added: (moment) => [
      'An authenticator app was added to your Crier account',
      `An authenticator app was added on ${moment} UTC.`,
      'From now on, signing in by email also asks for its code.',
    ],
    app_removed: (moment) => [
      'The authenticator app was removed from your Crier account',
      `The authenticator app was removed on ${moment} UTC.`,
      'Its codes no longer work.',
    ],
    codes_made: (moment) => [
      'New recovery codes for your Crier account',
      `Ten new recovery codes were made on ${moment} UTC.`,
      'Earlier recovery codes no longer work.',
    ],
    recovery_code_used: (moment) => [
      'A recovery code of your Crier account was used',
      `A recovery code was used on ${moment} UTC.`,
      'It no longer works. Make new codes before the last one is used.',
    ],
    required: (_moment, { business, at }) => [
      `A second factor will be required in ${business}`,
      `${business} requires a second factor of its members from ${at} UTC: a passkey or an authenticator app.`,
      'Set one up before then. It takes a minute.',
    ],
    reset_asked: (_moment, { business, email, at }) => [
      'Your second factor is going to be reset',
      `${email}, an owner of ${business}, asked to remove your passkeys, authenticator app and recovery codes. It happens on ${at} UTC, or earlier if another owner confirms.`,
      'If you still have your second factor, sign in and stop it.',
    ],
    reset_asked_by_you: (_moment, { business, email, at }) => [
      'You asked to reset a second factor',
      `You asked to remove the second factor of ${email} in ${business}. It happens on ${at} UTC, or earlier if another owner confirms.`,
      'The member was told, and can stop it.',
    ],
    reset_done: (moment) => [
      'Your second factor was reset',
      `Your passkeys, authenticator app and recovery codes were removed on ${moment} UTC, and you were signed out everywhere.`,
      'Sign in by email and set up a new one.',
    ],
    reset_done_by_you: (moment, { email }) => [
      'A second factor was reset',
      `The second factor of ${email} was removed on ${moment} UTC.`,
      'They can sign in by email and set up a new one.',
    ],
    reset_stopped: (moment, { email }) => [
      'A reset of a second factor was stopped',
      `${email} stopped the reset of their second factor on ${moment} UTC.`,
      'Nothing was removed.',
    ],
    reset_withdrawn: (moment, { business, email }) => [
      'A reset of a second factor was taken back',
      `${email}, an owner of ${business}, took back the reset of a second factor on ${moment} UTC.`,
      'Nothing was removed.',
    ],
    device: (moment, { browser }) => [
      'A new sign-in to your Crier account',
      `Someone signed in on ${moment} UTC in a browser we had not seen: ${browser}.`,
      'If it was you, there is nothing to do.',
    ],
    linked: (moment, { business }) => [
      'Your Crier account was linked to a company account',
      `Your account was linked to your account at ${business} on ${moment} UTC.`,
      'From now on, you can also sign in there.',
    ],
    unlinked: (moment, { business }) => [
      'Your Crier account was unlinked from a company account',
      `Your account was unlinked from your account at ${business} on ${moment} UTC.`,
      'You can no longer sign in there.',
    ],
    gone: (moment, { business, email }) => [
      `Has ${email} left your company?`,
      `On ${moment} UTC your company’s identity provider refused to confirm ${email}, a member of ${business}. They may have left, or their password was reset there. All their sessions here have ended.`,
      'They are held in this business until they sign in at your company again: they cannot get in, each call of their connected apps and API keys is refused, and their webhooks wait. If a program needs a key, take it over on the page API keys, or let the member go on on the page Members. If they have left, remove them there. Their campaigns go on.',
    ],
    owner_gone: (moment, { business, email }) => [
      `${business} may have lost its only owner`,
      `On ${moment} UTC your company’s identity provider refused to confirm ${email}, the only owner of ${business}. They may have left, or their password was reset there. All their sessions here have ended.`,
      'If they have left, ask whoever operates Crier to make somebody else the owner. Only an owner can change members. Until then their apps and API keys go on; an admin can end the keys on the page API keys.',
    ],
    refuses_many: (moment, { business }) => [
      'Your company sign-in refuses many people',
      `Since ${moment} UTC the identity provider of ${business} has refused to confirm more than half of the people who signed in there. They have hardly all left, so we end no more sessions, let apps and API keys go on that were held for it, and ask again each hour.`,
      'Check the application of Crier at your provider: its secret may have expired, or its tokens were revoked. Whoever signs in there again is confirmed by that. If people have left, remove them on the page Members.',
    ],
    member_unlinked: (moment, { business, email }) => [
      `${email} unlinked their company account`,
      `On ${moment} UTC ${email}, a member of ${business}, unlinked their account here from the company sign-in.`,
      'We no longer notice when they leave the company. Remove them on the page Members when they do.',
    ],
    first_factor: (moment, { business, email }) => [
      `${email} set up a second factor`,
      `${email}, a member of ${business}, set up their first second factor on ${moment} UTC.`,
      'If they did not do it themselves, reset it on the page Members.',
    ],
    first_factor_waits: (moment, { business, email, at }) => [
      `Is it ${email} who set up a second factor?`,
      `On ${moment} UTC the first second factor of ${email}, a member of ${business}, was set up with their mailbox alone. It counts from ${at} UTC; until then they can only look.`,
      'Ask them in person or by phone. If it was they, confirm it on the page Members, and it counts at once. If not, reset it there.',
    ],
    factor_waits: (moment, { at }) => [
      'Your second factor counts from tomorrow',
      `Your first second factor was set up on ${moment} UTC with your mailbox alone. It counts from ${at} UTC; until then you can only look.`,
      'An owner can confirm it on the page Members, and it counts at once.',
    ],
    factor_accepted: (moment) => [
      'Your second factor counts now',
      `Your new second factor was confirmed on ${moment} UTC.`,
      'You can do everything again that your role allows.',
    ],
    offered: (_moment, { business, email, at }) => [
      `You are offered to become the owner of ${business}`,
      `${email} offers you ${business}. You can accept on the page Members until ${at} UTC.`,
      'If you do nothing, nothing changes.',
    ],
    offered_by_you: (_moment, { business, email, at }) => [
      `You offered ${business} to another owner`,
      `You offered ${business} to ${email}, who can accept until ${at} UTC. Then you are an admin.`,
      'You can end the offer on the page Members.',
    ],
    transferred: (moment, { business, email }) => [
      `${business} has a new owner`,
      `${email} accepted and has been the owner of ${business} since ${moment} UTC.`,
      'Whoever offered it is an admin now.',
    ],
    guessed: (moment) => [
      'Wrong codes for your Crier account',
      `On ${moment} UTC someone who can sign in with your mailbox or browser entered five wrong codes within 15 minutes.`,
      'Nobody can use a code for up to 15 minutes. Passkeys still work.',
    ],
  },
}

const german: Words = {
  button: 'Anmeldemethoden ansehen',
  otherwise:
    'Wenn Sie es nicht waren, liest jemand Ihre E-Mails oder benutzt Ihren Browser: Ändern Sie das Passwort Ihres Postfachs, beenden Sie alle anderen Sitzungen und informieren Sie einen Inhaber Ihres Unternehmens.',
  owner: {
    button: 'Mitglieder ansehen',
    otherwise: 'Sie erhalten dies als Inhaber des Unternehmens.',
  },
  admin: {
    button: 'Mitglieder ansehen',
    otherwise: 'Sie erhalten dies als Administrator des Unternehmens.',
  },
  of: {
    app_added: (moment) => [
      'Ihrem Crier-Konto wurde eine Authentifizierungs-App hinzugefügt',
      `Am ${moment} UTC wurde eine Authentifizierungs-App hinzugefügt.`,
      'Ab jetzt wird bei der Anmeldung per E-Mail auch ihr Code verlangt.',
    ],
    app_removed: (moment) => [
      'Die Authentifizierungs-App Ihres Crier-Kontos wurde entfernt',
      `Am ${moment} UTC wurde die Authentifizierungs-App entfernt.`,
      'Ihre Codes gelten nicht mehr.',
    ],
    codes_made: (moment) => [
      'Neue Wiederherstellungscodes für Ihr Crier-Konto',
      `Am ${moment} UTC wurden zehn neue Wiederherstellungscodes erstellt.`,
      'Frühere Wiederherstellungscodes gelten nicht mehr.',
    ],
    recovery_code_used: (moment) => [
      'Ein Wiederherstellungscode Ihres Crier-Kontos wurde benutzt',
      `Am ${moment} UTC wurde ein Wiederherstellungscode benutzt.`,
      'Er gilt nicht mehr. Erstellen Sie neue Codes, bevor der letzte verbraucht ist.',
    ],
    required: (_moment, { business, at }) => [
      `In ${business} wird ein zweiter Faktor Pflicht`,
      `${business} verlangt ab ${at} UTC einen zweiten Faktor von seinen Mitgliedern: einen Passkey oder eine Authentifizierungs-App.`,
      'Richten Sie bis dahin einen ein. Es dauert eine Minute.',
    ],
    reset_asked: (_moment, { business, email, at }) => [
      'Ihr zweiter Faktor soll zurückgesetzt werden',
      `${email}, Inhaber von ${business}, möchte Ihre Passkeys, Ihre Authentifizierungs-App und Ihre Wiederherstellungscodes entfernen. Es geschieht am ${at} UTC, oder früher, wenn ein weiterer Inhaber bestätigt.`,
      'Wenn Sie Ihren zweiten Faktor noch haben, melden Sie sich an und verhindern Sie es.',
    ],
    reset_asked_by_you: (_moment, { business, email, at }) => [
      'Sie möchten einen zweiten Faktor zurücksetzen',
      `Sie möchten den zweiten Faktor von ${email} in ${business} entfernen. Es geschieht am ${at} UTC, oder früher, wenn ein weiterer Inhaber bestätigt.`,
      'Das Mitglied wurde benachrichtigt und kann es verhindern.',
    ],
    reset_done: (moment) => [
      'Ihr zweiter Faktor wurde zurückgesetzt',
      `Ihre Passkeys, Ihre Authentifizierungs-App und Ihre Wiederherstellungscodes wurden am ${moment} UTC entfernt, und Sie wurden überall abgemeldet.`,
      'Melden Sie sich per E-Mail an, und richten Sie einen neuen ein.',
    ],
    reset_done_by_you: (moment, { email }) => [
      'Ein zweiter Faktor wurde zurückgesetzt',
      `Der zweite Faktor von ${email} wurde am ${moment} UTC entfernt.`,
      'Das Mitglied kann sich per E-Mail anmelden und einen neuen einrichten.',
    ],
    reset_stopped: (moment, { email }) => [
      'Das Zurücksetzen eines zweiten Faktors wurde verhindert',
      `${email} hat das Zurücksetzen des eigenen zweiten Faktors am ${moment} UTC verhindert.`,
      'Es wurde nichts entfernt.',
    ],
    reset_withdrawn: (moment, { business, email }) => [
      'Das Zurücksetzen eines zweiten Faktors wurde zurückgenommen',
      `${email}, Inhaber von ${business}, hat das Zurücksetzen eines zweiten Faktors am ${moment} UTC zurückgenommen.`,
      'Es wurde nichts entfernt.',
    ],
    device: (moment, { browser }) => [
      'Neue Anmeldung bei Ihrem Crier-Konto',
      `Am ${moment} UTC hat sich jemand in einem Browser angemeldet, den wir noch nicht kannten: ${browser}.`,
      'Wenn Sie es waren, ist nichts zu tun.',
    ],
    linked: (moment, { business }) => [
      'Ihr Crier-Konto wurde mit einem Firmenkonto verknüpft',
      `Ihr Konto wurde am ${moment} UTC mit Ihrem Konto bei ${business} verknüpft.`,
      'Ab jetzt können Sie sich auch dort anmelden.',
    ],
    unlinked: (moment, { business }) => [
      'Ihr Crier-Konto ist nicht mehr mit einem Firmenkonto verknüpft',
      `Die Verknüpfung Ihres Kontos mit Ihrem Konto bei ${business} wurde am ${moment} UTC aufgehoben.`,
      'Dort können Sie sich nicht mehr anmelden.',
    ],
    gone: (moment, { business, email }) => [
      `Hat ${email} Ihre Firma verlassen?`,
      `Am ${moment} UTC hat die Firmenanmeldung ${email}, Mitglied von ${business}, nicht mehr bestätigt. Vielleicht hat die Person die Firma verlassen, oder ihr Passwort wurde dort zurückgesetzt. Alle ihre Sitzungen hier sind beendet.`,
      'Sie ist in diesem Unternehmen angehalten, bis sie sich wieder bei der Firma anmeldet: Sie kommt nicht herein, jeder Aufruf ihrer verbundenen Apps und API-Schlüssel wird abgewiesen, und ihre Webhooks warten. Braucht ein Programm einen Schlüssel, übernehmen Sie ihn auf der Seite „API-Schlüssel“, oder geben Sie die Person auf der Seite „Mitglieder“ frei. Hat sie die Firma verlassen, entfernen Sie sie dort. Ihre Kampagnen laufen weiter.',
    ],
    owner_gone: (moment, { business, email }) => [
      `${business} hat vielleicht keinen Inhaber mehr`,
      `Am ${moment} UTC hat die Firmenanmeldung ${email}, den einzigen Inhaber von ${business}, nicht mehr bestätigt. Vielleicht hat die Person die Firma verlassen, oder ihr Passwort wurde dort zurückgesetzt. Alle ihre Sitzungen hier sind beendet.`,
      'Hat die Person die Firma verlassen, bitten Sie den Betreiber von Crier, jemand anderen zum Inhaber zu machen. Nur ein Inhaber kann Mitglieder ändern. Bis dahin laufen ihre Apps und API-Schlüssel weiter; die Schlüssel kann ein Administrator auf der Seite „API-Schlüssel“ beenden.',
    ],
    refuses_many: (moment, { business }) => [
      'Ihre Firmenanmeldung weist viele Personen ab',
      `Seit ${moment} UTC hat die Firmenanmeldung von ${business} mehr als die Hälfte der Personen, die sich dort angemeldet haben, nicht mehr bestätigt. Sie haben die Firma kaum alle verlassen, darum beenden wir keine weiteren Sitzungen, lassen deswegen angehaltene Apps und API-Schlüssel weiterlaufen und fragen jede Stunde erneut.`,
      'Prüfen Sie die Anwendung von Crier bei Ihrem Anbieter: Ihr Geheimnis ist vielleicht abgelaufen, oder ihre Tokens wurden widerrufen. Wer sich dort wieder anmeldet, ist damit bestätigt. Haben Personen die Firma verlassen, entfernen Sie sie auf der Seite „Mitglieder“.',
    ],
    member_unlinked: (moment, { business, email }) => [
      `${email} hat das Firmenkonto getrennt`,
      `Am ${moment} UTC hat ${email}, Mitglied von ${business}, das Konto hier von der Firmenanmeldung getrennt.`,
      'Wir bemerken nicht mehr, wenn die Person die Firma verlässt. Entfernen Sie sie dann auf der Seite „Mitglieder“.',
    ],
    first_factor: (moment, { business, email }) => [
      `${email} hat einen zweiten Faktor eingerichtet`,
      `${email}, Mitglied von ${business}, hat am ${moment} UTC den ersten zweiten Faktor eingerichtet.`,
      'War es diese Person nicht selbst, setzen Sie ihn auf der Seite „Mitglieder“ zurück.',
    ],
    first_factor_waits: (moment, { business, email, at }) => [
      `Hat ${email} selbst einen zweiten Faktor eingerichtet?`,
      `Am ${moment} UTC wurde der erste zweite Faktor von ${email}, Mitglied von ${business}, allein mit dem Postfach eingerichtet. Er gilt ab ${at} UTC; bis dahin kann dieses Konto nur lesen.`,
      'Fragen Sie die Person selbst oder am Telefon. War sie es, bestätigen Sie den Faktor auf der Seite „Mitglieder“, und er gilt sofort. Sonst setzen Sie ihn dort zurück.',
    ],
    factor_waits: (moment, { at }) => [
      'Ihr zweiter Faktor gilt ab morgen',
      `Ihr erster zweiter Faktor wurde am ${moment} UTC allein mit Ihrem Postfach eingerichtet. Er gilt ab ${at} UTC; bis dahin können Sie nur lesen.`,
      'Ein Inhaber kann ihn auf der Seite „Mitglieder“ bestätigen; dann gilt er sofort.',
    ],
    factor_accepted: (moment) => [
      'Ihr zweiter Faktor gilt jetzt',
      `Ihr neuer zweiter Faktor wurde am ${moment} UTC bestätigt.`,
      'Sie können wieder alles tun, was Ihre Rolle erlaubt.',
    ],
    offered: (_moment, { business, email, at }) => [
      `Sie sollen Inhaber von ${business} werden`,
      `${email} bietet Ihnen ${business} an. Sie können auf der Seite „Mitglieder“ bis ${at} UTC annehmen.`,
      'Wenn Sie nichts tun, ändert sich nichts.',
    ],
    offered_by_you: (_moment, { business, email, at }) => [
      `Sie haben ${business} einem anderen Inhaber angeboten`,
      `Sie haben ${business} ${email} angeboten. Bis ${at} UTC kann angenommen werden; dann sind Sie Administrator.`,
      'Auf der Seite „Mitglieder“ können Sie das Angebot beenden.',
    ],
    transferred: (moment, { business, email }) => [
      `${business} hat einen neuen Inhaber`,
      `${email} hat angenommen und ist seit ${moment} UTC Inhaber von ${business}.`,
      'Wer es angeboten hat, ist jetzt Administrator.',
    ],
    guessed: (moment) => [
      'Falsche Codes für Ihr Crier-Konto',
      `Am ${moment} UTC hat jemand, der sich mit Ihrem Postfach oder Browser anmelden kann, fünf falsche Codes in 15 Minuten eingegeben.`,
      'Bis zu 15 Minuten lang wird kein Code angenommen. Passkeys funktionieren weiterhin.',
    ],
  },
}

const french: Words = {
  button: 'Voir vos méthodes de connexion',
  otherwise:
    'Si ce n’était pas vous, quelqu’un lit vos e-mails ou utilise votre navigateur : changez le mot de passe de votre messagerie, mettez fin à toutes les autres sessions et prévenez un propriétaire de votre entreprise.',
  owner: {
    button: 'Voir les membres',
    otherwise: 'Vous recevez ce message comme propriétaire de l’entreprise.',
  },
  admin: {
    button: 'Voir les membres',
    otherwise: 'Vous recevez ce message comme administrateur de l’entreprise.',
  },
  of: {
    app_added: (moment) => [
      'Une application d’authentification a été ajoutée à votre compte Crier',
      `Une application d’authentification a été ajoutée le ${moment} UTC.`,
      'Désormais, la connexion par e-mail demande aussi son code.',
    ],
    app_removed: (moment) => [
      'L’application d’authentification de votre compte Crier a été supprimée',
      `L’application d’authentification a été supprimée le ${moment} UTC.`,
      'Ses codes ne fonctionnent plus.',
    ],
    codes_made: (moment) => [
      'Nouveaux codes de récupération pour votre compte Crier',
      `Dix nouveaux codes de récupération ont été créés le ${moment} UTC.`,
      'Les codes de récupération précédents ne fonctionnent plus.',
    ],
    recovery_code_used: (moment) => [
      'Un code de récupération de votre compte Crier a été utilisé',
      `Un code de récupération a été utilisé le ${moment} UTC.`,
      'Il ne fonctionne plus. Créez de nouveaux codes avant d’utiliser le dernier.',
    ],
    required: (_moment, { business, at }) => [
      `Un second facteur sera obligatoire dans ${business}`,
      `${business} exige de ses membres un second facteur à partir du ${at} UTC : une clé d’accès ou une application d’authentification.`,
      'Configurez-en un d’ici là. Cela prend une minute.',
    ],
    reset_asked: (_moment, { business, email, at }) => [
      'Votre second facteur va être réinitialisé',
      `${email}, propriétaire de ${business}, demande la suppression de vos clés d’accès, de votre application d’authentification et de vos codes de récupération. Elle aura lieu le ${at} UTC, ou plus tôt si un autre propriétaire confirme.`,
      'Si vous avez encore votre second facteur, connectez-vous et empêchez-la.',
    ],
    reset_asked_by_you: (_moment, { business, email, at }) => [
      'Vous avez demandé la réinitialisation d’un second facteur',
      `Vous avez demandé la suppression du second facteur de ${email} dans ${business}. Elle aura lieu le ${at} UTC, ou plus tôt si un autre propriétaire confirme.`,
      'Le membre est prévenu et peut l’empêcher.',
    ],
    reset_done: (moment) => [
      'Votre second facteur a été réinitialisé',
      `Vos clés d’accès, votre application d’authentification et vos codes de récupération ont été supprimés le ${moment} UTC, et toutes vos sessions sont terminées.`,
      'Connectez-vous par e-mail et configurez-en un nouveau.',
    ],
    reset_done_by_you: (moment, { email }) => [
      'Un second facteur a été réinitialisé',
      `Le second facteur de ${email} a été supprimé le ${moment} UTC.`,
      'Cette personne peut se connecter par e-mail et en configurer un nouveau.',
    ],
    reset_stopped: (moment, { email }) => [
      'La réinitialisation d’un second facteur a été empêchée',
      `${email} a empêché la réinitialisation de son second facteur le ${moment} UTC.`,
      'Rien n’a été supprimé.',
    ],
    reset_withdrawn: (moment, { business, email }) => [
      'La réinitialisation d’un second facteur a été retirée',
      `${email}, propriétaire de ${business}, a retiré la réinitialisation d’un second facteur le ${moment} UTC.`,
      'Rien n’a été supprimé.',
    ],
    device: (moment, { browser }) => [
      'Nouvelle connexion à votre compte Crier',
      `Quelqu’un s’est connecté le ${moment} UTC dans un navigateur inconnu jusqu’ici : ${browser}.`,
      'Si c’était vous, il n’y a rien à faire.',
    ],
    linked: (moment, { business }) => [
      'Votre compte Crier a été lié à un compte d’entreprise',
      `Votre compte a été lié à votre compte chez ${business} le ${moment} UTC.`,
      'Désormais, vous pouvez aussi vous y connecter.',
    ],
    unlinked: (moment, { business }) => [
      'Votre compte Crier n’est plus lié à un compte d’entreprise',
      `Le lien entre votre compte et votre compte chez ${business} a été supprimé le ${moment} UTC.`,
      'Vous ne pouvez plus vous y connecter.',
    ],
    gone: (moment, { business, email }) => [
      `${email} a-t-il quitté votre entreprise ?`,
      `Le ${moment} UTC, la connexion d’entreprise n’a plus confirmé ${email}, membre de ${business}. Cette personne est peut-être partie, ou son mot de passe y a été réinitialisé. Toutes ses sessions ici ont pris fin.`,
      'Elle est suspendue dans cette entreprise jusqu’à ce qu’elle se connecte de nouveau par l’entreprise : elle n’entre plus, chaque appel de ses applications connectées et de ses clés d’API est refusé, et ses webhooks attendent. Si un programme a besoin d’une clé, reprenez-la à votre nom sur la page « Clés API », ou laissez continuer la personne sur la page « Membres ». Si elle est partie, retirez-la sur cette page. Ses campagnes continuent.',
    ],
    owner_gone: (moment, { business, email }) => [
      `${business} n’a peut-être plus de propriétaire`,
      `Le ${moment} UTC, la connexion d’entreprise n’a plus confirmé ${email}, seul propriétaire de ${business}. Cette personne est peut-être partie, ou son mot de passe y a été réinitialisé. Toutes ses sessions ici ont pris fin.`,
      'Si elle est partie, demandez à l’exploitant de Crier de désigner un autre propriétaire. Seul un propriétaire peut modifier les membres. D’ici là, ses applications et ses clés d’API continuent ; un administrateur peut mettre fin aux clés sur la page « Clés API ».',
    ],
    refuses_many: (moment, { business }) => [
      'La connexion de votre entreprise refuse beaucoup de personnes',
      `Depuis le ${moment} UTC, la connexion d’entreprise de ${business} n’a plus confirmé plus de la moitié des personnes qui s’y étaient connectées. Elles ne sont sans doute pas toutes parties : nous ne mettons fin à aucune autre session, laissons continuer les applications et les clés d’API suspendues pour cela, et redemandons chaque heure.`,
      'Vérifiez l’application de Crier chez votre fournisseur : son secret a peut-être expiré, ou ses jetons ont été révoqués. Qui s’y connecte de nouveau est confirmé. Si des personnes sont parties, retirez-les sur la page « Membres ».',
    ],
    member_unlinked: (moment, { business, email }) => [
      `${email} a dissocié son compte d’entreprise`,
      `Le ${moment} UTC, ${email}, membre de ${business}, a dissocié son compte ici de la connexion d’entreprise.`,
      'Nous ne remarquons plus quand cette personne quitte l’entreprise. Retirez-la alors sur la page « Membres ».',
    ],
    first_factor: (moment, { business, email }) => [
      `${email} a configuré un second facteur`,
      `${email}, membre de ${business}, a configuré son premier second facteur le ${moment} UTC.`,
      'Si ce n’est pas cette personne qui l’a fait, réinitialisez-le sur la page « Membres ».',
    ],
    first_factor_waits: (moment, { business, email, at }) => [
      `Est-ce bien ${email} qui a configuré un second facteur ?`,
      `Le ${moment} UTC, le premier second facteur de ${email}, membre de ${business}, a été configuré avec sa seule messagerie. Il compte à partir du ${at} UTC ; d’ici là, ce compte peut seulement consulter.`,
      'Demandez-lui en personne ou par téléphone. Si c’est bien cette personne, confirmez-le sur la page « Membres », et il compte aussitôt. Sinon, réinitialisez-le.',
    ],
    factor_waits: (moment, { at }) => [
      'Votre second facteur comptera à partir de demain',
      `Votre premier second facteur a été configuré le ${moment} UTC avec votre seule messagerie. Il compte à partir du ${at} UTC ; d’ici là, vous pouvez seulement consulter.`,
      'Un propriétaire peut le confirmer sur la page « Membres », et il compte aussitôt.',
    ],
    factor_accepted: (moment) => [
      'Votre second facteur compte maintenant',
      `Votre nouveau second facteur a été confirmé le ${moment} UTC.`,
      'Vous pouvez de nouveau faire tout ce que votre rôle permet.',
    ],
    offered: (_moment, { business, email, at }) => [
      `On vous propose de devenir propriétaire de ${business}`,
      `${email} vous propose ${business}. Vous pouvez accepter sur la page « Membres » jusqu’au ${at} UTC.`,
      'Si vous ne faites rien, rien ne change.',
    ],
    offered_by_you: (_moment, { business, email, at }) => [
      `Vous avez proposé ${business} à un autre propriétaire`,
      `Vous avez proposé ${business} à ${email}, qui peut accepter jusqu’au ${at} UTC. Vous serez alors administrateur.`,
      'Vous pouvez retirer la proposition sur la page « Membres ».',
    ],
    transferred: (moment, { business, email }) => [
      `${business} a un nouveau propriétaire`,
      `${email} a accepté et est propriétaire de ${business} depuis le ${moment} UTC.`,
      'La personne qui l’avait proposé est maintenant administratrice.',
    ],
    guessed: (moment) => [
      'Codes erronés pour votre compte Crier',
      `Le ${moment} UTC, quelqu’un qui peut se connecter avec votre messagerie ou votre navigateur a saisi cinq codes erronés en 15 minutes.`,
      'Aucun code n’est accepté pendant 15 minutes au plus. Les clés d’accès fonctionnent toujours.',
    ],
  },
}
