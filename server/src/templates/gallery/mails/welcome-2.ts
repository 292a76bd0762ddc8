import { type GalleryMail, optionalSlot, picture, requiredSlot, sender } from '../mail.ts'

export const welcome2: GalleryMail = {
  key: 'welcome-2',
  purpose: 'welcome',
  kind: 'marketing',
  slots: [
    picture,
    optionalSlot('story', 'text', [
      'How it all began',
      'Wie alles anfing',
      'Comment tout a commencé',
    ]),
    requiredSlot('favourites_url', 'url', [
      'Link to your favourites',
      'Link zu Ihren Favoriten',
      'Lien vers vos favoris',
    ]),
    optionalSlot('tip_1', 'text', ['First tip', 'Erster Tipp', 'Premier conseil']),
    optionalSlot('tip_2', 'text', ['Second tip', 'Zweiter Tipp', 'Deuxième conseil']),
    optionalSlot('tip_3', 'text', ['Third tip', 'Dritter Tipp', 'Troisième conseil']),
    sender,
  ],
  words: {
    en: {
      title: 'Welcome, second email',
      about: 'Some days later: who you are and where to begin.',
      subject: 'Where to start at {{ business.name }}',
      preview_text: 'The people behind it, and what they would pick.',
      blocks: [
        {
          type: 'image_text',
          src: '[[image]]',
          decorative: true,
          text: '**The faces behind {{ business.name }}**',
        },
        { type: 'heading', text: 'New here? Start with this' },
        { type: 'button', text: 'See our favourites', url: '[[favourites_url]]' },
        {
          type: 'text',
          text: 'When you’re new somewhere, it helps if someone points you in the right direction. So here is what we’d choose ourselves.',
        },
        { type: 'list', items: ['[[tip_1]]', '[[tip_2]]', '[[tip_3]]'], ordered: true },
        { type: 'quote', text: '[[story]]', by: '[[sender]]' },
      ],
    },
    de: {
      title: 'Willkommen, zweite Mail',
      about: 'Ein paar Tage später: wer Sie sind und womit man am besten anfängt.',
      subject: 'Unsere Favoriten für Ihren Einstieg',
      preview_text: 'Wer wir sind und was wir selbst nehmen würden.',
      blocks: [
        {
          type: 'image_text',
          src: '[[image]]',
          decorative: true,
          text: '**Die Menschen hinter {{ business.name }}**',
        },
        { type: 'heading', text: 'Neu bei uns? Hier geht’s los' },
        { type: 'button', text: 'Unsere Favoriten ansehen', url: '[[favourites_url]]' },
        {
          type: 'text',
          text: 'Aller Anfang ist leicht, wenn jemand den Weg zeigt. Deshalb haben wir zusammengestellt, was wir selbst immer wieder empfehlen.',
        },
        { type: 'list', items: ['[[tip_1]]', '[[tip_2]]', '[[tip_3]]'], ordered: true },
        { type: 'quote', text: '[[story]]', by: '[[sender]]' },
      ],
    },
    fr: {
      title: 'Bienvenue, deuxième message',
      about: 'Quelques jours plus tard : qui vous êtes et par où commencer.',
      subject: 'Par où commencer chez {{ business.name }} ?',
      preview_text: 'Qui nous sommes, et ce que nous choisirions.',
      blocks: [
        {
          type: 'image_text',
          src: '[[image]]',
          decorative: true,
          text: '**Les visages de {{ business.name }}**',
        },
        { type: 'heading', text: 'Nos coups de cœur pour débuter' },
        { type: 'button', text: 'Découvrir la sélection', url: '[[favourites_url]]' },
        {
          type: 'text',
          text: 'Quand on découvre une maison, un bon conseil vaut mieux qu’un long catalogue. Voici donc ce que nous recommandons autour de nous.',
        },
        { type: 'list', items: ['[[tip_1]]', '[[tip_2]]', '[[tip_3]]'], ordered: true },
        { type: 'quote', text: '[[story]]', by: '[[sender]]' },
      ],
    },
  },
}
