/** The words of the mail of an invitation, in English and German. */
import type { Role } from '../../core/operation.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'
import type { PendingInvitationOfPerson } from './invitation-queries.ts'
import { roleWords } from './role-words.ts'

type Invited = Pick<PendingInvitationOfPerson, 'role' | 'invitedBy' | 'expiresAt' | 'businessName'>

export function invitationWords(language: MailLanguage, invited: Invited): ServiceMailWords {
  return { en: english, de: german }[language](invited, withoutLinks(invited.businessName))
}

const dayIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

function english({ role, invitedBy, expiresAt }: Invited, business: string): ServiceMailWords {
  return {
    subject: 'An invitation to a business on Crier',
    message: `${invitedBy} invites you to the business “${business}” on Crier, with the role ${role}: to ${roleWords[role]}.`,
    button: 'See the invitation',
    terms: `You become a member only by accepting, signed in with this address. The invitation ends on ${dayIn('en-GB').format(expiresAt)}.`,
    otherwise: 'If you do not expect it, do nothing: then nothing happens.',
  }
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
    subject: 'Eine Einladung in ein Unternehmen auf Crier',
    message: `${invitedBy} lädt Sie in das Unternehmen „${business}“ auf Crier ein. ${germanRoles[role]}.`,
    button: 'Einladung ansehen',
    terms: `Mitglied werden Sie erst, wenn Sie annehmen, angemeldet mit dieser Adresse. Die Einladung endet am ${dayIn('de').format(expiresAt)}.`,
    otherwise: 'Wenn Sie sie nicht erwarten, tun Sie nichts: Dann geschieht nichts.',
  }
}
