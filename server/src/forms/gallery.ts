/** Forms to begin with, in three languages: `form.save` takes what `form.gallery` shows. */
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { type AppLanguage, appLanguages } from '../core/app-languages.ts'
import { operation } from '../core/operation.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type FieldType, type FormField, formField } from './form.ts'
import { formPage } from './form-page.ts'

/** One text in each language. */
type Texts = Readonly<Record<AppLanguage, string>>

interface Starter {
  key: string
  /** The name of the form. */
  name: Texts
  about: Texts
  title: Texts
  intro: Texts
  submit: Texts
  thanks?: Texts
  fields: readonly StarterField[]
}

interface StarterField {
  key: string
  type: FieldType
  label: Texts
  required?: boolean
  options?: readonly Texts[]
}

const email: StarterField = {
  key: 'email',
  type: 'email',
  required: true,
  label: { en: 'Email', de: 'E-Mail', fr: 'E-mail' },
}
const firstName: StarterField = {
  key: 'first_name',
  type: 'text',
  label: { en: 'First name', de: 'Vorname', fr: 'Prénom' },
}
const fullName: StarterField = {
  key: 'name',
  type: 'text',
  required: true,
  label: { en: 'Name', de: 'Name', fr: 'Nom' },
}
const consentTo = (label: Texts, required = false): StarterField => ({
  key: 'news',
  type: 'consent',
  required,
  label,
})
const newsConsent: Texts = {
  en: 'Yes, send me news by email. I can unsubscribe at any time.',
  de: 'Ja, ich möchte Neuigkeiten per E-Mail erhalten. Ich kann mich jederzeit abmelden.',
  fr: 'Oui, je souhaite recevoir des nouvelles par e-mail. Je peux me désinscrire à tout moment.',
}

const starters: readonly Starter[] = [
  {
    key: 'newsletter',
    name: { en: 'Newsletter', de: 'Newsletter', fr: 'Newsletter' },
    about: {
      en: 'People subscribe to your news.',
      de: 'Interessierte melden sich für Ihren Newsletter an.',
      fr: 'Vos visiteurs s’inscrivent à votre newsletter.',
    },
    title: {
      en: 'Get our newsletter',
      de: 'Unser Newsletter',
      fr: 'Recevez notre newsletter',
    },
    intro: {
      en: 'News and offers, straight to your inbox.',
      de: 'Neuigkeiten und Angebote, direkt in Ihr Postfach.',
      fr: 'Nos nouvelles et nos offres, directement dans votre boîte de réception.',
    },
    submit: { en: 'Subscribe', de: 'Anmelden', fr: 'S’abonner' },
    fields: [email, firstName, consentTo(newsConsent, true)],
  },
  {
    key: 'waiting-list',
    name: { en: 'Waiting list', de: 'Warteliste', fr: 'Liste d’attente' },
    about: {
      en: 'For something that is not there yet or sold out.',
      de: 'Für etwas, das noch nicht da oder ausverkauft ist.',
      fr: 'Pour ce qui n’est pas encore disponible, ou épuisé.',
    },
    title: {
      en: 'Join the waiting list',
      de: 'Auf die Warteliste',
      fr: 'Rejoignez la liste d’attente',
    },
    intro: {
      en: 'We will write to you as soon as it is your turn.',
      de: 'Wir schreiben Ihnen, sobald Sie an der Reihe sind.',
      fr: 'Nous vous écrirons dès que ce sera votre tour.',
    },
    submit: { en: 'Join', de: 'Eintragen', fr: 'M’inscrire' },
    fields: [
      email,
      firstName,
      consentTo(
        {
          en: 'Tell me by email when it is available.',
          de: 'Informieren Sie mich per E-Mail, sobald es verfügbar ist.',
          fr: 'Prévenez-moi par e-mail dès que c’est disponible.',
        },
        true,
      ),
    ],
  },
  {
    key: 'feedback',
    name: { en: 'Feedback', de: 'Feedback', fr: 'Avis' },
    about: {
      en: 'Customers say how they liked it.',
      de: 'Kundinnen und Kunden sagen, wie es war.',
      fr: 'Vos clients disent ce qu’ils en pensent.',
    },
    title: { en: 'How was it?', de: 'Wie war es?', fr: 'Qu’en avez-vous pensé ?' },
    intro: {
      en: 'Two minutes of your time help us to get better.',
      de: 'Zwei Minuten Ihrer Zeit helfen uns, besser zu werden.',
      fr: 'Deux minutes de votre temps nous aident à progresser.',
    },
    submit: { en: 'Send feedback', de: 'Feedback senden', fr: 'Envoyer mon avis' },
    fields: [
      {
        key: 'rating',
        type: 'rating',
        required: true,
        label: {
          en: 'How satisfied are you?',
          de: 'Wie zufrieden sind Sie?',
          fr: 'Êtes-vous satisfait ?',
        },
      },
      {
        key: 'comment',
        type: 'textarea',
        label: {
          en: 'What could we do better?',
          de: 'Was können wir besser machen?',
          fr: 'Que pouvons-nous améliorer ?',
        },
      },
      email,
    ],
  },
  {
    key: 'event',
    name: { en: 'Event', de: 'Veranstaltung', fr: 'Événement' },
    about: {
      en: 'People sign up for a date.',
      de: 'Gäste melden sich für einen Termin an.',
      fr: 'Vos invités s’inscrivent à une date.',
    },
    title: {
      en: 'Sign up for the event',
      de: 'Zur Veranstaltung anmelden',
      fr: 'Inscrivez-vous à l’événement',
    },
    intro: {
      en: 'Places are limited.',
      de: 'Die Plätze sind begrenzt.',
      fr: 'Le nombre de places est limité.',
    },
    submit: { en: 'Sign up', de: 'Anmelden', fr: 'S’inscrire' },
    thanks: {
      en: 'Thank you, you are on our list.',
      de: 'Vielen Dank, wir haben Sie notiert.',
      fr: 'Merci, votre inscription est enregistrée.',
    },
    fields: [
      fullName,
      email,
      {
        key: 'guests',
        type: 'select',
        label: { en: 'How many come?', de: 'Wie viele kommen?', fr: 'Combien serez-vous ?' },
        options: ['1', '2', '3', '4'].map((n) => ({ en: n, de: n, fr: n })),
      },
      consentTo({
        en: 'Tell me about further events by email. I can unsubscribe at any time.',
        de: 'Informieren Sie mich per E-Mail über weitere Veranstaltungen. Ich kann mich jederzeit abmelden.',
        fr: 'Informez-moi par e-mail des prochains événements. Je peux me désinscrire à tout moment.',
      }),
    ],
  },
  {
    key: 'contact',
    name: { en: 'Contact', de: 'Kontakt', fr: 'Contact' },
    about: {
      en: 'A message to you; it subscribes nobody.',
      de: 'Eine Nachricht an Sie; niemand wird dabei angemeldet.',
      fr: 'Un message pour vous, sans abonnement.',
    },
    title: { en: 'Write to us', de: 'Schreiben Sie uns', fr: 'Écrivez-nous' },
    intro: {
      en: 'We answer within two working days.',
      de: 'Wir antworten innerhalb von zwei Werktagen.',
      fr: 'Nous répondons sous deux jours ouvrés.',
    },
    submit: { en: 'Send message', de: 'Nachricht senden', fr: 'Envoyer le message' },
    fields: [
      fullName,
      email,
      {
        key: 'message',
        type: 'textarea',
        required: true,
        label: { en: 'Your message', de: 'Ihre Nachricht', fr: 'Votre message' },
      },
    ],
  },
  {
    key: 'birthday-club',
    name: { en: 'Birthday club', de: 'Geburtstagsclub', fr: 'Club anniversaire' },
    about: {
      en: 'Birthdays, for a greeting with a small gift.',
      de: 'Geburtstage, für einen Gruß mit einem kleinen Geschenk.',
      fr: 'Les anniversaires, pour une attention le jour venu.',
    },
    title: {
      en: 'A present for your birthday',
      de: 'Ein Geschenk zum Geburtstag',
      fr: 'Un cadeau pour votre anniversaire',
    },
    intro: {
      en: 'Tell us your birthday, and we will think of you.',
      de: 'Verraten Sie uns Ihren Geburtstag, und wir denken an Sie.',
      fr: 'Dites-nous quand vous êtes né, et nous penserons à vous.',
    },
    submit: { en: 'Join', de: 'Mitmachen', fr: 'Participer' },
    fields: [
      firstName,
      email,
      {
        key: 'birthday',
        type: 'date',
        required: true,
        label: { en: 'Birthday', de: 'Geburtstag', fr: 'Date de naissance' },
      },
      consentTo(
        {
          en: 'Yes, send me birthday wishes and news by email. I can unsubscribe at any time.',
          de: 'Ja, ich möchte Geburtstagsgrüße und Neuigkeiten per E-Mail erhalten. Ich kann mich jederzeit abmelden.',
          fr: 'Oui, je souhaite recevoir vos vœux d’anniversaire et vos nouvelles par e-mail. Je peux me désinscrire à tout moment.',
        },
        true,
      ),
    ],
  },
]

const starterView = Type.Object({
  key: Type.String(),
  about: Type.String(),
  name: Type.String(),
  fields: Type.Array(formField),
  page: formPage,
})

export const formGallery = operation({
  name: 'form.gallery',
  title: 'Forms to begin with',
  area: 'forms',
  summary:
    'Six finished forms (newsletter, waiting list, feedback, event, contact, birthday club) in the business’s language: give name, fields and page of one to form.save. Free, changes nothing.',
  reach: 'business',
  scope: 'forms:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/forms/gallery',
  input: { language: Type.Optional(Type.Enum(appLanguages)) },
  output: Type.Object({ language: Type.Enum(appLanguages), forms: Type.Array(starterView) }),

  async run({ db, business }, { language: requested }) {
    const profile = await senderProfileOf(db, business.id)
    const own = profile?.language.split('-', 1)[0]
    const language = requested ?? appLanguages.find((tag) => tag === own) ?? 'en'
    return { language, forms: starters.map((starter) => starterIn(language, starter)) }
  },
})

function starterIn(language: AppLanguage, starter: Starter): Static<typeof starterView> {
  const { key, name, about, title, intro, submit, thanks, fields } = starter
  const page = { title: title[language], intro: intro[language], submit: submit[language] }
  return {
    key,
    about: about[language],
    name: name[language],
    fields: fields.map((field) => fieldIn(language, field)),
    page: { ...page, ...(thanks && { thanks: thanks[language] }) },
  }
}

function fieldIn(language: AppLanguage, { label, options, ...field }: StarterField): FormField {
  return {
    ...field,
    label: label[language],
    ...(options && { options: options.map((option) => option[language]) }),
  }
}
