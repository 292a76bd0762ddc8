/** The words of the mail of an invitation, in the languages of the mails for members. */
import type { Role } from '../../core/operation.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'
import type { PendingInvitationOfPerson } from './invitation-queries.ts'

type Invited = Pick<PendingInvitationOfPerson, 'role' | 'invitedBy' | 'expiresAt' | 'businessName'>

export function invitationWords(language: MailLanguage, invited: Invited): ServiceMailWords {
  return { en: english, de: german, fr: french }[language](
    invited,
    withoutLinks(invited.businessName),
  )
}

const dayIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

function english({ role, invitedBy, expiresAt }: Invited, business: string): ServiceMailWords {
  return {
    subject: 'You are invited to a business on Crier',
    message: `${invitedBy} invited you to join “${business}” on Crier as ${role}: to ${englishRoles[role]}.`,
    button: 'View invitation',
    terms: `To join, sign in with this address and accept. The invitation expires on ${dayIn('en-GB').format(expiresAt)}.`,
    otherwise: 'If you did not expect this invitation, you can ignore this email.',
  }
}

/** What somebody with the role may do, after “to” or “could”. */
const englishRoles: Record<Role, string> = {
  viewer: 'see everything and change nothing',
  approver: 'see everything, and approve campaigns or refuse them',
  editor: 'work on forms, contacts, templates and drafts',
  admin: 'also send campaigns, and set up domains and webhooks',
  owner: 'do everything, members and settings included',
}

const germanRoles: Record<Role, string> = {
  viewer: 'Sie sehen alles und ändern nichts',
  approver: 'Sie sehen alles und geben Kampagnen frei oder lehnen sie ab',
  editor: 'Sie arbeiten an Formularen, Kontakten, Vorlagen und Entwürfen',
  admin: 'Sie verschicken auch Kampagnen und richten Domains und Webhooks ein',
  owner: 'Sie dürfen alles, auch Mitglieder und Einstellungen ändern',
}

function german({ role, invitedBy, expiresAt }: Invited, business: string): ServiceMailWords {
  return {
    subject: 'Einladung zu einem Unternehmen auf Crier',
    message: `${invitedBy} hat Sie zu „${business}“ auf Crier eingeladen. ${germanRoles[role]}.`,
    button: 'Einladung ansehen',
    terms: `Um Mitglied zu werden, melden Sie sich mit dieser Adresse an und nehmen Sie an. Die Einladung läuft am ${dayIn('de').format(expiresAt)} ab.`,
    otherwise: 'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
  }
}

const frenchRoles: Record<Role, string> = {
  viewer: 'Vous voyez tout et ne modifiez rien',
  approver: 'Vous voyez tout, et approuvez ou refusez les campagnes',
  editor: 'Vous travaillez aux formulaires, contacts, modèles et brouillons',
  admin: 'Vous envoyez aussi des campagnes et configurez les domaines et les webhooks',
  owner: 'Vous pouvez tout faire, y compris modifier les membres et les paramètres',
}

function french({ role, invitedBy, expiresAt }: Invited, business: string): ServiceMailWords {
  return {
    subject: 'Invitation à rejoindre une entreprise sur Crier',
    message: `${invitedBy} vous invite à rejoindre « ${business} » sur Crier. ${frenchRoles[role]}.`,
    button: 'Voir l’invitation',
    terms: `Pour devenir membre, connectez-vous avec cette adresse et acceptez. L’invitation expire le ${dayIn('fr').format(expiresAt)}.`,
    otherwise: 'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail.',
  }
}

/** What somebody with the role could do, as a sentence. */
export function roleSentence(language: MailLanguage, role: Role): string {
  const sentences = {
    en: `You could ${englishRoles[role]}`,
    de: germanRoles[role],
    fr: frenchRoles[role],
  }
  return `${sentences[language]}.`
}
