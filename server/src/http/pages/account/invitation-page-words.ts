/** The words of the page on which a person answers invitations. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { Role } from '../../../core/operation.ts'

export const invitationPageWords = (language: MailLanguage): InvitationPageWords =>
  ({ en: english, de: german, fr: french })[language]

export interface InvitationPageWords {
  title: string
  lead: (email: string) => string
  none: string
  noneText: string
  role: Record<Role, string>
  invites: (who: string) => string
  until: (moment: string) => string
  accept: string
  acceptLabel: (business: string) => string
  decline: string
  declineLabel: (business: string) => string
}

const english: InvitationPageWords = {
  title: 'Invitations',
  lead: (email) => `Businesses that invited ${email} to become a member.`,
  none: 'No invitations',
  noneText: 'Invitations expire after seven days.',
  role: {
    viewer: 'as viewer',
    approver: 'as approver',
    editor: 'as editor',
    admin: 'as admin',
    owner: 'as owner',
  },
  invites: (who) => `${who} invites you.`,
  until: (moment) => `Until ${moment} UTC`,
  accept: 'Accept',
  acceptLabel: (business) => `Accept the invitation to ${business}`,
  decline: 'Decline',
  declineLabel: (business) => `Decline the invitation to ${business}`,
}

const german: InvitationPageWords = {
  title: 'Einladungen',
  lead: (email) => `Unternehmen, die ${email} als Mitglied eingeladen haben.`,
  none: 'Keine Einladungen',
  noneText: 'Einladungen laufen nach sieben Tagen ab.',
  role: {
    viewer: 'zum Lesen',
    approver: 'zum Freigeben',
    editor: 'als Redakteur',
    admin: 'als Administrator',
    owner: 'als Inhaber',
  },
  invites: (who) => `${who} lädt Sie ein.`,
  until: (moment) => `Bis ${moment} UTC`,
  accept: 'Annehmen',
  acceptLabel: (business) => `Einladung zu ${business} annehmen`,
  decline: 'Ablehnen',
  declineLabel: (business) => `Einladung zu ${business} ablehnen`,
}

const french: InvitationPageWords = {
  title: 'Vos invitations',
  lead: (email) => `Entreprises qui invitent ${email} à devenir membre.`,
  none: 'Aucune invitation',
  noneText: 'Les invitations expirent après sept jours.',
  role: {
    viewer: 'en lecture',
    approver: 'comme approbateur',
    editor: 'comme éditeur',
    admin: 'comme administrateur',
    owner: 'comme propriétaire',
  },
  invites: (who) => `${who} vous invite.`,
  until: (moment) => `Jusqu’au ${moment} UTC`,
  accept: 'Accepter',
  acceptLabel: (business) => `Accepter l’invitation à rejoindre ${business}`,
  decline: 'Refuser',
  declineLabel: (business) => `Refuser l’invitation à rejoindre ${business}`,
}
