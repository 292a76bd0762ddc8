/** The words of the mail about a form that is abused, in the languages of the mails for members. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import { guardLimits } from './limits.ts'

interface Names {
  form: string
  business: string
}

export function guardedWords(language: MailLanguage, { form, business }: Names): ServiceMailWords {
  const names = { form: withoutLinks(form), business: withoutLinks(business) }
  return { en: english, de: german, fr: french }[language](names)
}

const { mailsPerHour } = guardLimits

function english({ form, business }: Names): ServiceMailWords {
  return {
    subject: `A form of ${business} is being protected against abuse`,
    message: `Many people whose addresses were entered in the form “${form}” do not confirm. Someone is probably signing up other people.`,
    button: 'View form',
    terms: `For now, the form sends at most ${mailsPerHour} confirmation emails per hour and holds the rest. You can send or discard the emails on hold.`,
    otherwise: 'You do not have to do anything. The form returns to normal automatically.',
  }
}

function german({ form, business }: Names): ServiceMailWords {
  return {
    subject: `Ein Formular von ${business} wird vor Missbrauch geschützt`,
    message: `Viele Personen, deren Adressen in das Formular „${form}“ eingetragen wurden, bestätigen nicht. Vermutlich meldet jemand fremde Personen an.`,
    button: 'Formular ansehen',
    terms: `Vorerst sendet das Formular höchstens ${mailsPerHour} Bestätigungsmails pro Stunde und hält die übrigen an. Angehaltene E-Mails können Sie senden oder verwerfen.`,
    otherwise: 'Sie müssen nichts tun. Das Formular kehrt automatisch zum Normalbetrieb zurück.',
  }
}

function french({ form, business }: Names): ServiceMailWords {
  return {
    subject: `Un formulaire de ${business} est protégé contre les abus`,
    message: `Beaucoup de personnes dont l’adresse a été saisie dans le formulaire « ${form} » ne confirment pas. Quelqu’un inscrit sans doute d’autres personnes.`,
    button: 'Voir le formulaire',
    terms: `Pour l’instant, le formulaire envoie au plus ${mailsPerHour} e-mails de confirmation par heure et retient les autres. Vous pouvez envoyer ou écarter les e-mails retenus.`,
    otherwise: 'Vous n’avez rien à faire. Le formulaire redevient normal automatiquement.',
  }
}
