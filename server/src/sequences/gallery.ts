/** Automations to begin with, in three languages: `sequence.save` takes what `sequence.gallery` shows. */
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { refuse } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { nearest } from '../lib/text/nearest.ts'
import { languageOf, readEntry } from '../templates/gallery/choice.ts'
import { type GalleryLanguage, galleryLanguages } from '../templates/gallery/mail.ts'
import { entryEvents } from './definition.ts'

type Texts = Readonly<Record<GalleryLanguage, string>>

interface Starter {
  key: string
  name: Texts
  about: Texts
  kind?: 'transactional'
  enter: { on: string } & Record<string, unknown>
  exit?: object
  goal?: object
  hours?: object
  steps: readonly object[]
}

const mail = (gallery: string, more: object = {}) => ({ send: { gallery }, ...more })
/** At a time at which people read. */
const waitUntilMorning = (wait: string) => ({ wait, until: '09:00' })

/** The words of a mail of an automation, with the products that the entering event names. */
interface ItemsMail {
  subject: string
  heading: string
  text: string
  /** Leads to the address that the event names. */
  button?: string
}
type ItemsTexts = Readonly<Record<GalleryLanguage, ItemsMail>>

const cartMail: ItemsTexts = {
  en: {
    subject: 'You left something in your basket',
    heading: 'Still thinking it over?',
    text: 'Your basket is just as you left it. One click and you can carry on.',
    button: 'Back to my basket',
  },
  de: {
    subject: 'Ihr Warenkorb wartet noch',
    heading: 'Haben Sie etwas vergessen?',
    text: 'Ihre Auswahl haben wir für Sie aufgehoben. Mit einem Klick geht es weiter.',
    button: 'Zum Warenkorb',
  },
  fr: {
    subject: 'Votre panier vous attend',
    heading: 'Un oubli, une hésitation ?',
    text: 'Votre sélection est toujours là. Un clic suffit pour continuer.',
    button: 'Retrouver mon panier',
  },
}

const orderMail: ItemsTexts = {
  en: {
    subject: 'Thank you for your order',
    heading: 'Thank you!',
    text: 'We are glad that you chose us. This is what you ordered; reply to this email if anything is not as it should be.',
  },
  de: {
    subject: 'Danke für Ihre Bestellung',
    heading: 'Vielen Dank!',
    text: 'Schön, dass Sie bei uns bestellt haben. Das haben Sie ausgewählt; antworten Sie einfach auf diese E-Mail, wenn etwas nicht stimmt.',
  },
  fr: {
    subject: 'Merci pour votre commande',
    heading: 'Merci !',
    text: 'Nous sommes ravis que vous nous ayez choisis. Voici votre commande ; répondez à cet e-mail si quelque chose ne va pas.',
  },
}

/** The mail in the words of a template. */
function contentOf({ subject, heading, text, button }: ItemsMail) {
  const row = {
    name: '{{ item.name }}',
    quantity: '{{ item.quantity }}',
    price: '{{ item.price }}',
  }
  return {
    subject,
    blocks: [
      { type: 'heading', text: heading },
      { type: 'text', text },
      { type: 'receipt', each: 'event.items', rows: [row] },
      ...(button === undefined ? [] : [{ type: 'button', text: button, url: '{{ event.url }}' }]),
    ],
  }
}

const hasItems = (step: object): step is { send: { content: ItemsTexts } } =>
  'send' in step && 'content' in (step.send as object)

const starters: readonly Starter[] = [
  {
    key: 'welcome',
    name: { en: 'Welcome', de: 'Willkommen', fr: 'Bienvenue' },
    about: {
      en: 'A hello as soon as somebody subscribes, and three days later where to begin.',
      de: 'Eine Begrüßung gleich nach der Anmeldung, und nach drei Tagen ein guter Einstieg.',
      fr: 'Un accueil dès l’inscription, puis trois jours plus tard par où commencer.',
    },
    enter: { on: 'consent.given' },
    steps: [mail('welcome-1'), waitUntilMorning('3 days'), mail('welcome-2')],
  },
  {
    key: 'onboarding',
    name: { en: 'First weeks', de: 'Die ersten Wochen', fr: 'Premières semaines' },
    about: {
      en: 'Four emails over the first month: hello, where to begin, how it goes, and a review.',
      de: 'Vier E-Mails im ersten Monat: Begrüßung, Einstieg, Nachfrage und Bitte um Bewertung.',
      fr: 'Quatre e-mails le premier mois : accueil, premiers pas, questions, puis un avis.',
    },
    enter: { on: 'consent.given' },
    steps: [
      mail('welcome-1'),
      waitUntilMorning('3 days'),
      mail('welcome-2'),
      waitUntilMorning('10 days'),
      mail('survey'),
      waitUntilMorning('2 weeks'),
      mail('review'),
    ],
  },
  {
    key: 'birthday',
    name: { en: 'Birthday', de: 'Geburtstag', fr: 'Anniversaire' },
    about: {
      en: 'Good wishes and a small gift on the day, every year.',
      de: 'Glückwünsche und ein kleines Geschenk am Geburtstag, jedes Jahr.',
      fr: 'Des vœux et un petit cadeau le jour même, chaque année.',
    },
    enter: { on: 'date', field: 'birthday', yearly: true },
    steps: [mail('birthday')],
  },
  {
    key: 'cart',
    name: { en: 'Abandoned cart', de: 'Vergessener Warenkorb', fr: 'Panier abandonné' },
    about: {
      en: 'Four hours after the last change of a cart, unless an order comes first.',
      de: 'Vier Stunden nach der letzten Änderung am Warenkorb, wenn bis dahin keine Bestellung kommt.',
      fr: 'Quatre heures après la dernière modification du panier, sauf si une commande arrive.',
    },
    enter: { on: 'own_event', event: 'cart_updated', again: 'latest' },
    exit: { did: 'order_placed', since: 'entry' },
    steps: [{ wait: '4 hours' }, { send: { content: cartMail } }],
  },
  {
    key: 'review',
    name: { en: 'Review request', de: 'Bitte um Bewertung', fr: 'Demande d’avis' },
    about: {
      en: 'Two weeks after an order, at most once in half a year.',
      de: 'Zwei Wochen nach einer Bestellung, höchstens einmal im halben Jahr.',
      fr: 'Deux semaines après une commande, au plus une fois par semestre.',
    },
    enter: { on: 'own_event', event: 'order_placed', again: 'after 180 days' },
    steps: [waitUntilMorning('2 weeks'), mail('review')],
  },
  {
    key: 'thank-you',
    name: {
      en: 'Thanks for the order',
      de: 'Dank für die Bestellung',
      fr: 'Merci pour la commande',
    },
    about: {
      en: 'A thank-you the day after an order. Those who order get the tag “customer”.',
      de: 'Ein Dankeschön einen Tag nach einer Bestellung. Wer bestellt, bekommt das Tag „customer“.',
      fr: 'Un merci le lendemain d’une commande. Qui commande reçoit l’étiquette « customer ».',
    },
    enter: { on: 'own_event', event: 'order_placed', again: 'after 90 days' },
    steps: [{ tag: 'customer' }, waitUntilMorning('1 day'), { send: { content: orderMail } }],
  },
  {
    key: 'win-back',
    name: {
      en: 'Win back, or let go',
      de: 'Zurückgewinnen oder loslassen',
      fr: 'Reconquérir, ou laisser partir',
    },
    about: {
      en: 'For people with the tag “quiet”: a warm word and a last question. Those who do not react are unsubscribed.',
      de: 'Für Personen mit dem Tag „quiet“: ein freundliches Wort und eine letzte Frage. Wer nicht reagiert, wird abgemeldet.',
      fr: 'Pour les personnes avec l’étiquette « quiet » : un mot chaleureux et une dernière question. Sans réaction, la personne est désinscrite.',
    },
    enter: { on: 'tag.added', tag: 'quiet', again: 'after 365 days' },
    exit: { did: 'message.clicked', since: 'entry' },
    steps: [
      mail('win-back'),
      waitUntilMorning('2 weeks'),
      mail('re-permission'),
      { wait_for: { clicked: true, up_to: '2 weeks' } },
      // A person whose clicks are not recorded never counts as silent, and a yes is an answer by itself.
      {
        stop_if: {
          or: [
            { not: { did_not: 'message.clicked', since: 'entry' } },
            { consent: 'email', is: 'subscribed', since: 'entry' },
          ],
        },
      },
      { tag: 'let-go' },
      { unsubscribe: {} },
    ],
  },
  {
    key: 're-permission',
    name: { en: 'Still interested?', de: 'Noch interessiert?', fr: 'Toujours intéressé ?' },
    about: {
      en: 'Asks people with the tag “ask-again” once whether they want to stay. Those who say yes get the tag “stays”, those who do not answer within three weeks are unsubscribed.',
      de: 'Fragt Personen mit dem Tag „ask-again“ einmal, ob sie bleiben möchten. Wer Ja sagt, bekommt das Tag „stays“; wer drei Wochen nicht antwortet, wird abgemeldet.',
      fr: 'Demande une fois aux personnes avec l’étiquette « ask-again » si elles veulent rester. Un oui reçoit l’étiquette « stays » ; sans réponse en trois semaines, la personne est désinscrite.',
    },
    enter: { on: 'tag.added', tag: 'ask-again' },
    steps: [
      mail('re-permission'),
      waitUntilMorning('3 weeks'),
      {
        split: [
          {
            if: { consent: 'email', is: 'subscribed', since: 'entry' },
            steps: [{ tag: 'stays' }],
          },
          { steps: [{ tag: 'no-answer' }, { unsubscribe: {} }] },
        ],
      },
    ],
  },
  {
    key: 'back-in-stock',
    name: { en: 'Back in stock', de: 'Wieder da', fr: 'De retour en stock' },
    about: {
      en: 'As soon as your shop reports that something a person waits for is back.',
      de: 'Sobald Ihr Shop meldet, dass ein Artikel wieder da ist, auf den jemand wartet.',
      fr: 'Dès que votre boutique signale le retour de ce que quelqu’un attend.',
    },
    enter: { on: 'own_event', event: 'back_in_stock', again: 'each time' },
    exit: { did: 'order_placed', since: 'entry' },
    steps: [mail('back-in-stock')],
  },
  {
    key: 'renewal',
    name: {
      en: 'Renewal reminder',
      de: 'Erinnerung an die Verlängerung',
      fr: 'Rappel de renouvellement',
    },
    about: {
      en: 'Two weeks before the day of renewal, a date of each contact.',
      de: 'Zwei Wochen vor dem Datum der Verlängerung, das beim Kontakt steht.',
      fr: 'Deux semaines avant le renouvellement, une date du contact.',
    },
    enter: { on: 'date', field: 'attributes.renews_at', offset: '-14 days' },
    steps: [mail('announcement')],
  },
  {
    key: 'event',
    name: {
      en: 'Event reminder',
      de: 'Erinnerung an eine Veranstaltung',
      fr: 'Rappel d’un événement',
    },
    about: {
      en: 'For people with the tag “event”: the invitation, and a thank-you two weeks later.',
      de: 'Für alle mit dem Tag „event“: die Einladung und zwei Wochen später ein Dank.',
      fr: 'Pour les personnes avec l’étiquette « event » : l’invitation, puis un merci deux semaines après.',
    },
    enter: { on: 'tag.added', tag: 'event' },
    steps: [mail('event'), waitUntilMorning('2 weeks'), mail('thank-you')],
  },
]

/** Those whose way to enter exists. */
const offered = starters.filter(({ enter }) => entryEvents.some((entry) => entry === enter.on))

const anObject = Type.Unsafe<object>({ type: 'object' })

export const sequenceGallery = operation({
  name: 'sequence.gallery',
  title: 'Automations to begin with',
  area: 'campaigns',
  summary:
    'Made automations with their mails, such as a welcome series. Give kind, enter, exit and steps as shown, with slots for the facts, to sequence.save.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequence-gallery',
  input: {
    language: Type.Optional(Type.Enum(galleryLanguages)),
    key: Type.Optional(Type.String({ maxLength: 60 })),
  },
  output: Type.Object({
    language: Type.String(),
    sequences: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        about: Type.String(),
        kind: Type.Enum(['marketing', 'transactional']),
        enter: anObject,
        exit: Type.Optional(anObject),
        steps: Type.Array(anObject),
        mails: Type.Array(
          Type.Object({ gallery: Type.Optional(Type.String()), title: Type.String() }),
        ),
        slots: Type.Array(
          Type.Object({
            name: Type.String(),
            kind: Type.String(),
            required: Type.Boolean(),
            label: Type.String(),
          }),
        ),
      }),
    ),
  }),

  async run({ db, business }, { language, key }) {
    const profile = await senderProfileOf(db, business.id)
    const galleryLanguage = language ?? languageOf(profile?.language ?? 'en')
    if (key !== undefined && !offered.some((starter) => starter.key === key)) throw noSuchKey(key)
    return {
      language: galleryLanguage,
      sequences: offered
        .filter((starter) => key === undefined || starter.key === key)
        .map((starter) => viewOf(starter, galleryLanguage)),
    }
  },
})

function viewOf(
  { key, name, about, kind, enter, exit, steps }: Starter,
  language: GalleryLanguage,
) {
  const mails = keysIn(steps)
  const slots = new Map(
    mails.flatMap((gallery) => readEntry(gallery).slots.map((slot) => [slot.name, slot])),
  )
  return {
    key,
    name: name[language],
    about: about[language],
    kind: kind ?? ('marketing' as const),
    enter,
    ...(exit && { exit }),
    steps: steps.map((step) =>
      hasItems(step) ? { send: { content: contentOf(step.send.content[language]) } } : step,
    ),
    mails: steps.flatMap((step) => {
      if (hasItems(step)) return [{ title: step.send.content[language].subject }]
      return keysIn([step]).map((gallery) => ({
        gallery,
        title: readEntry(gallery).words[language].title,
      }))
    }),
    slots: [...slots.values()].map((slot) => ({
      name: slot.name,
      kind: slot.kind,
      required: slot.required,
      label: slot.label[language],
    })),
  }
}

const keysIn = (steps: readonly object[]): string[] =>
  steps.flatMap((step) => {
    const { gallery } = ('send' in step ? step.send : {}) as { gallery?: string }
    return gallery === undefined ? [] : [gallery]
  })

function noSuchKey(key: string) {
  const near = nearest(
    key,
    offered.map((starter) => starter.key),
  )
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const text = `The gallery has no automation ${JSON.stringify(key.slice(0, 60))}.${hint} sequence.gallery lists them.`
  return refuse('invalid_request', text, {
    field: 'key',
    fix: { tool: 'sequence.gallery', arguments: {} },
    data: { reason: 'not_in_gallery' },
  })
}
