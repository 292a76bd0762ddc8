/** The words of the mail with which an automation tells a member about a person. */
import type { MailLanguage } from '../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../lib/email/service-mail.ts'

interface Note {
  person: string
  automation: string
  business: string
  note: string | null
}

/** Names are texts of strangers: mail programs must not make links of them. */
export function noteWords(language: MailLanguage, input: Note): ServiceMailWords {
  const note = {
    person: withoutLinks(input.person),
    automation: withoutLinks(input.automation),
    business: withoutLinks(input.business),
    note: input.note === null ? null : withoutLinks(input.note),
  }
  return { en: english, de: german, fr: french }[language](note)
}

const english = ({ person, automation, business, note }: Note): ServiceMailWords => ({
  subject: note ?? `${automation}: ${person}`,
  message: `${person} has come to a step of the automation “${automation}” of “${business}” that tells you.${note === null ? '' : ` ${note}`}`,
  button: 'View contact',
  terms: 'The step tells the members whom the automation names.',
  otherwise: 'To stop these emails, have somebody take you out of that step.',
})

const german = ({ person, automation, business, note }: Note): ServiceMailWords => ({
  subject: note ?? `${automation}: ${person}`,
  message: `${person} ist in der Automation „${automation}“ von „${business}“ bei einem Schritt, der Sie benachrichtigt.${note === null ? '' : ` ${note}`}`,
  button: 'Kontakt ansehen',
  terms: 'Der Schritt benachrichtigt die Mitglieder, die in der Automation stehen.',
  otherwise: 'Sie möchten diese E-Mails nicht mehr? Lassen Sie sich aus dem Schritt nehmen.',
})

const french = ({ person, automation, business, note }: Note): ServiceMailWords => ({
  subject: note ?? `${automation} : ${person}`,
  message: `${person} est arrivé à une étape de l’automatisation « ${automation} » de « ${business} » qui vous prévient.${note === null ? '' : ` ${note}`}`,
  button: 'Voir le contact',
  terms: 'L’étape prévient les membres que l’automatisation nomme.',
  otherwise: 'Pour ne plus recevoir ces e-mails, demandez à être retiré de cette étape.',
})
