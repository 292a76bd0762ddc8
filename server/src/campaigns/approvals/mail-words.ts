/** The words of the mails about a campaign that waits for approval, or was refused. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import type { Approver } from '../../accounts/businesses/memberships.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { Campaign } from '../model/campaign.ts'

type Waiting = Pick<Campaign, 'name' | 'channel' | 'recipients' | 'state'>

export function approvalWords(
  language: MailLanguage,
  { name, channel, recipients, state }: Waiting,
  { businessName }: Pick<Approver, 'businessName'>,
): ServiceMailWords {
  return { en: english, de: german }[language]({
    campaign: withoutLinks(name),
    business: withoutLinks(businessName),
    count: new Intl.NumberFormat(language).format(recipients ?? 0),
    isEmail: channel === 'email',
    hasGrown: state === 'paused',
  })
}

interface Told {
  campaign: string
  business: string
  count: string
  isEmail: boolean
  /** It was under way, and is paused because more people are in its audience than were. */
  hasGrown: boolean
}

function english({ campaign, business, count, isEmail, hasGrown }: Told): ServiceMailWords {
  const people = `${count} recipients by ${isEmail ? 'email' : 'SMS'}`
  const named = `The campaign “${campaign}” of “${business}”`
  return {
    subject: 'A campaign waits for your approval',
    message: hasGrown
      ? `${named} is paused: it has grown to ${people}, which is more than may go out without a person’s approval.`
      : `${named} to ${people} waits for a person to approve it.`,
    button: 'Look at it and decide',
    terms: 'Nothing more of it is sent before an admin or owner of the business approves it.',
    otherwise: 'If somebody else decides before you do, the page says so.',
  }
}

function german({ campaign, business, count, isEmail, hasGrown }: Told): ServiceMailWords {
  const people = `${count} Empfänger per ${isEmail ? 'E-Mail' : 'SMS'}`
  const named = `Die Kampagne „${campaign}“ von „${business}“`
  return {
    subject: 'Eine Kampagne wartet auf Ihre Freigabe',
    message: hasGrown
      ? `${named} ist angehalten: Sie ist auf ${people} gewachsen, und das sind mehr, als ohne Freigabe verschickt werden dürfen.`
      : `${named} an ${people} wartet darauf, dass jemand sie freigibt.`,
    button: 'Ansehen und entscheiden',
    terms:
      'Es wird nichts weiter davon verschickt, bevor ein Administrator oder Inhaber des Unternehmens sie freigibt.',
    otherwise: 'Entscheidet jemand anderes vor Ihnen, so sagt es die Seite.',
  }
}

interface Refused {
  name: string
  /** Null if the person gave none. */
  reason: string | null
}

export function refusalWords(
  language: MailLanguage,
  { name, reason }: Refused,
  { businessName }: Pick<Approver, 'businessName'>,
): ServiceMailWords {
  const [campaign, business] = [withoutLinks(name), withoutLinks(businessName)]
  const why = reason === null ? undefined : withoutLinks(reason)
  return language === 'de'
    ? {
        subject: 'Ihre Kampagne wurde nicht freigegeben',
        message: `Die Kampagne „${campaign}“ von „${business}“ wurde nicht freigegeben und ist wieder ein Entwurf.${why === undefined ? '' : ` Der Grund: „${why}“`}`,
        button: 'Entwurf öffnen',
        terms: 'Niemand hat sie bekommen.',
        otherwise:
          'Ändern Sie den Entwurf und schicken Sie ihn wieder los: Dann wartet er erneut auf Freigabe.',
      }
    : {
        subject: 'Your campaign was not approved',
        message: `The campaign “${campaign}” of “${business}” was not approved, and is a draft again.${why === undefined ? '' : ` The reason: “${why}”`}`,
        button: 'Open the draft',
        terms: 'Nobody got it.',
        otherwise: 'Change the draft and send it off again: it then waits for approval once more.',
      }
}
