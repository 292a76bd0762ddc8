/** The words of the mail about a form that is abused, in English and German. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import { guardLimits } from './limits.ts'

interface Names {
  form: string
  business: string
}

export function guardedWords(language: MailLanguage, { form, business }: Names): ServiceMailWords {
  const names = { form: withoutLinks(form), business: withoutLinks(business) }
  return { en: english, de: german }[language](names)
}

const { mailsPerHour } = guardLimits

function english({ form, business }: Names): ServiceMailWords {
  return {
    subject: `A form of ${business} is guarded against abuse`,
    message: `Many people whose addresses were typed into the form “${form}” do not confirm. Most likely somebody uses the form to send mail to strangers.`,
    button: 'See the form',
    terms: `Until that ends, the form sends at most ${mailsPerHour} confirmation mails an hour and holds the others. You can release or discard those that are held.`,
    otherwise: 'You need not do anything: the form turns back by itself.',
  }
}

function german({ form, business }: Names): ServiceMailWords {
  return {
    subject: `Ein Formular von ${business} wird vor Missbrauch geschützt`,
    message: `Viele Personen, deren Adressen in das Formular „${form}“ eingetragen wurden, bestätigen nicht. Wahrscheinlich benutzt jemand das Formular, um Fremden E-Mails zu schicken.`,
    button: 'Formular ansehen',
    terms: `Bis das aufhört, verschickt das Formular höchstens ${mailsPerHour} Bestätigungsmails in der Stunde und hält die anderen zurück. Zurückgehaltene können Sie freigeben oder verwerfen.`,
    otherwise: 'Sie müssen nichts tun: Das Formular wird von selbst wieder wie zuvor.',
  }
}
