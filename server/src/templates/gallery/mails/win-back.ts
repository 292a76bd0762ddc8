import { discountCode, type GalleryMail, optionalSlot, sender } from '../mail.ts'

export const winBack: GalleryMail = {
  key: 'win-back',
  purpose: 'win-back',
  kind: 'marketing',
  slots: [
    optionalSlot('offer', 'text', ['What you offer', 'Ihr Angebot', 'Votre offre']),
    discountCode(false),
    optionalSlot('ends', 'date', ['Valid until', 'Gültig bis', 'Valable jusqu’au']),
    optionalSlot('book_url', 'url', [
      'Link to come back',
      'Link zur Rückkehr',
      'Lien pour revenir',
    ]),
    optionalSlot('news', 'text', [
      'What is new since',
      'Was seither neu ist',
      'Ce qui a changé depuis',
    ]),
    sender,
  ],
  words: {
    en: {
      title: 'We miss you',
      about: 'A warm note to those who haven’t been around for a while.',
      subject: 'It’s been a while',
      preview_text: 'No hard feelings, just a hello.',
      blocks: [
        {
          type: 'text',
          text: 'Hello {{ contact.first_name | default: "stranger" }},\n\nWe were just talking about you. It’s been a while since we last saw each other, and we’d be glad to have you back.',
        },
        { type: 'quote', text: '[[offer]]' },
        { type: 'code', text: 'To welcome you back', code: '[[code]]' },
        { type: 'button', text: 'Come back and see', url: '[[book_url]]' },
        { type: 'list', items: ['It’s waiting for you until [[ends]].'] },
        { type: 'spacer', height: 8 },
        { type: 'heading', text: 'And if now isn’t the time?', level: 2 },
        { type: 'text', text: 'That’s fine too. The door stays open.' },
        { type: 'quote', text: '**What you missed**\n[[news]]' },
        { type: 'text', text: 'Hope to see you soon,\n[[sender]]' },
      ],
    },
    de: {
      title: 'Wir vermissen Sie',
      about: 'Ein freundlicher Gruß an alle, die lange nicht da waren.',
      subject: 'Lange nicht gesehen',
      preview_text: 'Wir würden uns freuen, wieder von Ihnen zu hören.',
      blocks: [
        {
          type: 'text',
          text: 'Hand aufs Herz: Wir haben uns eine ganze Weile nicht gesehen.\n\nHoffentlich geht es Ihnen gut! Falls Sie wieder einmal Lust auf uns haben: Ihr Platz ist noch da.',
        },
        { type: 'quote', text: '[[offer]]' },
        { type: 'code', text: 'Zum Wiedersehen', code: '[[code]]' },
        { type: 'button', text: 'Wieder vorbeischauen', url: '[[book_url]]' },
        { type: 'list', items: ['Das gilt für Sie bis [[ends]].'] },
        { type: 'spacer', height: 8 },
        { type: 'heading', text: 'Gerade keine Zeit?', level: 2 },
        {
          type: 'text',
          text: 'Auch gut. Wir drängen niemanden und freuen uns, wann immer es passt.',
        },
        { type: 'quote', text: '**Das haben Sie verpasst**\n[[news]]' },
        { type: 'text', text: 'Auf bald\n[[sender]]' },
      ],
    },
    fr: {
      title: 'Vous nous manquez',
      about: 'Un mot à celles et ceux qu’on n’a pas vus depuis longtemps.',
      subject: 'Cela fait un moment…',
      preview_text: 'On pensait justement à vous.',
      blocks: [
        {
          type: 'text',
          text: 'Bonjour {{ contact.first_name | default: "à vous" }},\n\nVotre place est restée libre, et on s’est dit qu’un petit mot ne ferait pas de mal. Que devenez-vous ?',
        },
        { type: 'quote', text: '[[offer]]' },
        { type: 'code', text: 'Pour nos retrouvailles', code: '[[code]]' },
        { type: 'button', text: 'Je reviens', url: '[[book_url]]' },
        { type: 'list', items: ['C’est pour vous jusqu’au [[ends]].'] },
        { type: 'spacer', height: 8 },
        { type: 'heading', text: 'Pas le bon moment ?', level: 2 },
        { type: 'text', text: 'Aucun souci. Revenez quand le cœur vous en dit.' },
        { type: 'quote', text: '**Pendant votre absence**\n[[news]]' },
        { type: 'text', text: 'Au plaisir de vous revoir,\n[[sender]]' },
      ],
    },
  },
}
