/** The words of the mail about an answered statement of past volume, in English and German. */
import type { PastVolume } from './volume.ts'

type Answer = Pick<PastVolume, 'emailsPerDay' | 'approved' | 'answer'> & {
  domain: string
  /** The day of the warm-up. */
  beginsAtDay: number
  /** An approval that the operator took back, which is a refusal. */
  withdrawn: boolean
}

interface AnswerMail {
  subject: string
  what: string
  button: string
  terms: string
  otherwise: string
}

const english = {
  number: new Intl.NumberFormat('en'),
  words: (number: (value: number) => string, { domain, ...volume }: Answer): AnswerMail => {
    const { emailsPerDay, approved, answer, beginsAtDay, withdrawn } = volume
    const stated = `You stated that ${domain} sent ${number(emailsPerDay)} mails a day before.`
    const reply = answer === null ? '' : ` The operator writes: “${answer}”`
    const shared = {
      button: 'See your domains',
      otherwise: 'Every owner of the business gets this mail.',
    }
    if (withdrawn) {
      return {
        ...shared,
        subject: `The approval of your statement about ${domain} is withdrawn`,
        what: `${stated} The operator of this service approved that, and now takes the approval back.${reply}`,
        terms:
          'The warm-up goes on without the days that it skipped. You can state again on the page Domains.',
      }
    }
    if (approved === null) {
      return {
        ...shared,
        subject: `Your statement about ${domain} is refused`,
        what: `${stated} The operator of this service refused it.${reply}`,
        terms: 'The warm-up goes on as before. You can state again on the page Domains.',
      }
    }
    return {
      ...shared,
      subject: `Your statement about ${domain} is approved`,
      what: `${stated} The operator of this service approved ${number(approved)} a day.${reply}`,
      terms: `With each mailbox provider, the warm-up now begins at day ${beginsAtDay}, or goes on from a later day that it has reached.`,
    }
  },
}

const german: typeof english = {
  number: new Intl.NumberFormat('de'),
  words: (number, { domain, emailsPerDay, approved, answer, beginsAtDay, withdrawn }) => {
    const stated = `Sie haben angegeben, dass ${domain} bisher ${number(emailsPerDay)} E-Mails am Tag verschickt hat.`
    const reply = answer === null ? '' : ` Der Betreiber schreibt: „${answer}“`
    const shared = {
      button: 'Domains ansehen',
      otherwise: 'Alle Inhaber des Unternehmens erhalten diese E-Mail.',
    }
    if (withdrawn) {
      return {
        ...shared,
        subject: `Die Anerkennung Ihrer Angabe zu ${domain} wurde zurückgenommen`,
        what: `${stated} Der Betreiber dieses Dienstes hatte das anerkannt und nimmt die Anerkennung nun zurück.${reply}`,
        terms:
          'Die Aufwärmphase läuft ohne die Tage weiter, die sie übersprungen hatte. Auf der Seite Domains können Sie eine neue Angabe machen.',
      }
    }
    if (approved === null) {
      return {
        ...shared,
        subject: `Ihre Angabe zu ${domain} wurde abgelehnt`,
        what: `${stated} Der Betreiber dieses Dienstes hat das abgelehnt.${reply}`,
        terms:
          'Die Aufwärmphase läuft wie bisher weiter. Auf der Seite Domains können Sie eine neue Angabe machen.',
      }
    }
    return {
      ...shared,
      subject: `Ihre Angabe zu ${domain} wurde anerkannt`,
      what: `${stated} Der Betreiber dieses Dienstes hat ${number(approved)} am Tag anerkannt.${reply}`,
      terms: `Bei jedem Mailanbieter beginnt die Aufwärmphase jetzt mit Tag ${beginsAtDay} oder läuft an einem späteren Tag weiter, den sie schon erreicht hat.`,
    }
  },
}

export function answerWords(language: string, answer: Answer): AnswerMail {
  const { number, words } = language === 'de' ? german : english
  return words((value) => number.format(value), answer)
}
