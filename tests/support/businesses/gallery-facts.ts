/** Mails of the gallery with a fact in each slot, as a business might give them. */
import type { Block } from 'crier-server/templates/blocks/block.ts'
import { fillMail } from 'crier-server/templates/gallery/fill.ts'
import type {
  GalleryLanguage,
  GalleryMail,
  Slot,
  SlotKind,
} from 'crier-server/templates/gallery/mail.ts'

const facts: Record<SlotKind, Record<GalleryLanguage, string>> = {
  text: {
    en: 'Everything that we bake, from the rye loaf to the Sunday brioche',
    de: 'Alles aus unserer Backstube, vom Roggenlaib bis zum Sonntagszopf',
    fr: 'Tout ce qui sort du four, du pain de seigle à la brioche du dimanche',
  },
  url: {
    en: 'https://mill.example/more',
    de: 'https://mill.example/mehr',
    fr: 'https://mill.example/plus',
  },
  date: { en: 'Saturday, 12 December', de: 'Samstag, 12. Dezember', fr: 'samedi 12 décembre' },
  time: { en: '7.30pm', de: '19.30 Uhr', fr: '19 h 30' },
  place: {
    en: 'The Old Tannery, Mill Lane',
    de: 'Alte Gerberei, Mühlgasse 4',
    fr: '14 rue des Tanneurs, Nantes',
  },
  price: { en: '£18.50', de: '18,50 €', fr: '18,50 €' },
  percent: { en: '20%', de: '20 %', fr: '20 %' },
  code: { en: 'MILL-20', de: 'MILL-20', fr: 'MILL-20' },
  name: {
    en: 'The winter bread evening',
    de: 'Der Brotabend im Winter',
    fr: 'La soirée du pain d’hiver',
  },
  number: { en: '63', de: '63', fr: '63' },
  image: {
    en: 'https://mill.example/bread.png',
    de: 'https://mill.example/bread.png',
    fr: 'https://mill.example/bread.png',
  },
  email: { en: 'hello@mill.example', de: 'hallo@mill.example', fr: 'bonjour@mill.example' },
  phone: { en: '020 7946 0142', de: '030 555 01 42', fr: '01 99 00 12 34' },
}

const senders = { en: 'Morag and the team', de: 'Ihre Jana Vogt', fr: 'Anouk et Bastien' }

/** With all facts, or without blocks that hold an optional slot. */
export function factsOf(
  mail: GalleryMail,
  { language, isBare }: { language: GalleryLanguage; isBare: boolean },
): { subject: string; preheader: string; blocks: Block[] } {
  const factOf = ({ name, kind }: Slot) =>
    name === 'sender' ? senders[language] : facts[kind][language]
  const used = mail.slots.filter(({ required }) => required || !isBare)
  const values = Object.fromEntries(used.map((slot) => [slot.name, factOf(slot)]))
  const { subject, preheader, blocks } = fillMail(mail, { language, facts: values })
  return { subject, preheader, blocks }
}
