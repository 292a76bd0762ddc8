/** Text messages of the gallery. Each is one SMS of 160 characters once its facts are in. */
import {
  discountCode,
  type GalleryLanguage,
  type Purpose,
  requiredSlot,
  type Slot,
} from './mail.ts'

export interface GalleryText {
  /** Such as `sms-appointment`. */
  key: string
  purpose: Purpose
  kind: 'marketing' | 'transactional'
  slots: readonly Slot[]
  words: Record<GalleryLanguage, { title: string; text: string }>
}

const date = requiredSlot('date', 'date', ['Date', 'Datum', 'Date'])
const time = requiredSlot('time', 'time', ['Time', 'Uhrzeit', 'Heure'])
const venue = requiredSlot('place', 'place', ['Place', 'Ort', 'Lieu'])

/** Letters outside of the GSM alphabet, such as ê, À and ’, would halve what fits in one. */
export const galleryTexts: readonly GalleryText[] = [
  {
    key: 'sms-appointment',
    purpose: 'appointment',
    kind: 'transactional',
    slots: [date, time, venue],
    words: {
      en: {
        title: 'Appointment reminder',
        text: '{{ business.name }}: your appointment is on [[date]], [[time]], [[place]]. Need to change it? Just reply.',
      },
      de: {
        title: 'Terminerinnerung',
        text: '{{ business.name }}: Ihr Termin ist am [[date]], [[time]], [[place]]. Passt es nicht? Antworten Sie einfach.',
      },
      fr: {
        title: 'Rappel de rendez-vous',
        text: '{{ business.name }} : votre rendez-vous est le [[date]], [[time]], [[place]]. Un souci ? Répondez à ce SMS.',
      },
    },
  },
  {
    key: 'sms-sale',
    purpose: 'sale',
    kind: 'marketing',
    slots: [
      requiredSlot('percent', 'percent', ['Discount', 'Rabatt', 'Remise']),
      discountCode(true),
      requiredSlot('ends', 'date', ['Last day', 'Letzter Tag', 'Dernier jour']),
    ],
    words: {
      en: {
        title: 'Sale',
        text: '{{ business.name }}: [[percent]] off with code [[code]], until [[ends]]. See you soon!',
      },
      de: {
        title: 'Rabattaktion',
        text: '{{ business.name }}: [[percent]] Rabatt mit Code [[code]], nur bis [[ends]]. Wir freuen uns auf Sie!',
      },
      fr: {
        title: 'Promotion',
        text: "{{ business.name }} : -[[percent]] avec le code [[code]] jusqu'au [[ends]]. On vous attend !",
      },
    },
  },
  {
    key: 'sms-shipping',
    purpose: 'shipping',
    kind: 'transactional',
    slots: [
      requiredSlot('tracking_url', 'url', [
        'Link to the tracking',
        'Link zur Sendungsverfolgung',
        'Lien de suivi',
      ]),
    ],
    words: {
      en: {
        title: 'Order on its way',
        text: '{{ business.name }}: your order is on its way. Follow it here: [[tracking_url]]',
      },
      de: {
        title: 'Paket unterwegs',
        text: '{{ business.name }}: Ihr Paket ist unterwegs. Hier verfolgen: [[tracking_url]]',
      },
      fr: {
        title: 'Colis en route',
        text: '{{ business.name }} : votre colis est en route. Suivez-le ici : [[tracking_url]]',
      },
    },
  },
  {
    key: 'sms-event',
    purpose: 'event',
    kind: 'marketing',
    slots: [
      requiredSlot('event', 'name', [
        'Name of the event',
        'Name der Veranstaltung',
        'Nom de l’événement',
      ]),
      date,
      time,
      venue,
    ],
    words: {
      en: {
        title: 'Event reminder',
        text: 'Reminder from {{ business.name }}: [[event]], [[date]], [[time]], [[place]]. Come along!',
      },
      de: {
        title: 'Erinnerung an eine Veranstaltung',
        text: 'Nicht vergessen: [[event]] am [[date]], [[time]], [[place]]. Bis dann, {{ business.name }}',
      },
      fr: {
        title: 'Rappel d’un événement',
        text: 'Rappel : [[event]], le [[date]], [[time]], [[place]]. {{ business.name }} vous attend !',
      },
    },
  },
  {
    key: 'sms-back-in-stock',
    purpose: 'back-in-stock',
    kind: 'marketing',
    slots: [
      requiredSlot('product', 'name', [
        'Name of the product',
        'Name des Produkts',
        'Nom du produit',
      ]),
      requiredSlot('product_url', 'url', [
        'Link to the product',
        'Link zum Produkt',
        'Lien vers le produit',
      ]),
    ],
    words: {
      en: {
        title: 'Back in stock',
        text: '[[product]] is back at {{ business.name }}: [[product_url]]',
      },
      de: {
        title: 'Wieder da',
        text: '[[product]] ist wieder da. Jetzt bei {{ business.name }}: [[product_url]]',
      },
      fr: {
        title: 'De retour en stock',
        text: '[[product]] est de retour chez {{ business.name }} : [[product_url]]',
      },
    },
  },
  {
    key: 'sms-announcement',
    purpose: 'announcement',
    kind: 'marketing',
    slots: [
      requiredSlot('news', 'text', ['What changes', 'Was sich ändert', 'Ce qui change']),
      requiredSlot('date', 'date', ['From when', 'Ab wann', 'À partir de quand']),
    ],
    words: {
      en: {
        title: 'Short notice',
        text: '{{ business.name }}: [[news]], [[date]]. Thank you for your understanding.',
      },
      de: {
        title: 'Kurzfristige Mitteilung',
        text: '{{ business.name }}: [[news]], [[date]]. Vielen Dank für Ihr Verständnis.',
      },
      fr: {
        title: 'Information',
        text: '{{ business.name }} : [[news]], [[date]]. Merci de votre compréhension.',
      },
    },
  },
]
