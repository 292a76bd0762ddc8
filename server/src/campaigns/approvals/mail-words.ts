/** The words of the mails about a campaign that waits for approval, or was refused. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import type { Approver } from '../../accounts/businesses/memberships.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { Campaign } from '../campaign.ts'

type Waiting = Pick<Campaign, 'name' | 'channel' | 'recipients' | 'state'>

export function approvalWords(
  language: MailLanguage,
  { name, channel, recipients, state }: Waiting,
  { businessName }: Pick<Approver, 'businessName'>,
): ServiceMailWords {
  return { en: english, de: german, fr: french }[language]({
    campaign: withoutLinks(name),
    business: withoutLinks(businessName),
    count: new Intl.NumberFormat(language).format(recipients ?? 0),
    isEmail: channel === 'email',
    hasGrown: state === 'paused',
  })
}

/** The link to the page on which a person stops what ordered it. */
export const stopLabels: Readonly<Record<MailLanguage, string>> = {
  en: 'Stop this assistant',
  de: 'Diesen Assistenten stoppen',
  fr: 'Arrêter cet assistant',
}

interface ApprovalFacts {
  campaign: string
  business: string
  count: string
  isEmail: boolean
  /** It was under way, and is paused because more people are in its audience than were. */
  hasGrown: boolean
}

function english({
  campaign,
  business,
  count,
  isEmail,
  hasGrown,
}: ApprovalFacts): ServiceMailWords {
  const people = `${count} recipients by ${isEmail ? 'email' : 'SMS'}`
  const subject = `The campaign “${campaign}” of “${business}”`
  return {
    subject: 'A campaign waits for your approval',
    message: hasGrown
      ? `${subject} is paused. It has grown to ${people}, more than may get it without approval.`
      : `${subject} to ${people} is waiting for approval.`,
    button: 'Review campaign',
    terms: 'Nothing more is sent until an approver, admin or owner of the business approves it.',
    otherwise: 'If someone else decides first, the page shows it.',
  }
}

function german({ campaign, business, count, isEmail, hasGrown }: ApprovalFacts): ServiceMailWords {
  const people = `${count} Empfänger per ${isEmail ? 'E-Mail' : 'SMS'}`
  const subject = `Die Kampagne „${campaign}“ von „${business}“`
  return {
    subject: 'Eine Kampagne wartet auf Ihre Freigabe',
    message: hasGrown
      ? `${subject} ist pausiert. Sie ist auf ${people} gewachsen, mehr als ohne Freigabe erlaubt.`
      : `${subject} an ${people} wartet auf Freigabe.`,
    button: 'Kampagne prüfen',
    terms:
      'Bis ein Freigeber, Administrator oder Inhaber des Unternehmens sie freigibt, wird nichts weiter gesendet.',
    otherwise: 'Entscheidet jemand anderes vor Ihnen, zeigt das die Seite.',
  }
}

function french({ campaign, business, count, isEmail, hasGrown }: ApprovalFacts): ServiceMailWords {
  const people = `${count} destinataires par ${isEmail ? 'e-mail' : 'SMS'}`
  const subject = `La campagne « ${campaign} » de « ${business} »`
  return {
    subject: 'Une campagne attend votre approbation',
    message: hasGrown
      ? `${subject} est en pause. Elle compte maintenant ${people}, plus que permis sans approbation.`
      : `${subject} à ${people} attend une approbation.`,
    button: 'Vérifier la campagne',
    terms:
      'Rien d’autre n’est envoyé avant qu’un approbateur, un administrateur ou un propriétaire de l’entreprise ne l’approuve.',
    otherwise: 'Si quelqu’un d’autre décide avant vous, la page l’indique.',
  }
}

interface RefusedCampaign {
  name: string
  /** Null if the person gave none. */
  reason: string | null
}

export function refusalWords(
  language: MailLanguage,
  { name, reason }: RefusedCampaign,
  { businessName }: Pick<Approver, 'businessName'>,
): ServiceMailWords {
  const [campaign, business] = [withoutLinks(name), withoutLinks(businessName)]
  const why = reason === null ? undefined : withoutLinks(reason)
  return {
    en: {
      subject: 'Your campaign was not approved',
      message: `The campaign “${campaign}” of “${business}” was not approved and is a draft again.${why === undefined ? '' : ` Reason: “${why}”`}`,
      button: 'Open draft',
      terms: 'It was not sent to anyone.',
      otherwise: 'Edit the draft and submit it again for approval.',
    },
    de: {
      subject: 'Ihre Kampagne wurde nicht freigegeben',
      message: `Die Kampagne „${campaign}“ von „${business}“ wurde nicht freigegeben und ist wieder ein Entwurf.${why === undefined ? '' : ` Grund: „${why}“`}`,
      button: 'Entwurf öffnen',
      terms: 'Sie wurde an niemanden gesendet.',
      otherwise: 'Bearbeiten Sie den Entwurf und reichen Sie ihn erneut zur Freigabe ein.',
    },
    fr: {
      subject: 'Votre campagne n’a pas été approuvée',
      message: `La campagne « ${campaign} » de « ${business} » n’a pas été approuvée et redevient un brouillon.${why === undefined ? '' : ` Raison : « ${why} »`}`,
      button: 'Ouvrir le brouillon',
      terms: 'Elle n’a été envoyée à personne.',
      otherwise: 'Modifiez le brouillon et soumettez-le de nouveau pour approbation.',
    },
  }[language]
}
